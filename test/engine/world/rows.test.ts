import * as fc from 'fast-check';
import { before, OrderedRows, Row } from '../../../engine/world/index.js';
import { OWNER } from '../../support/world-rows.js';

type Step =
  | { readonly kind: 'add'; readonly order: number }
  | { readonly kind: 'remove'; readonly which: number }
  | { readonly kind: 'read' };

const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('add' as const), order: fc.nat(9) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), which: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('read' as const) }) },
  ),
  { maxLength: 200, size: 'max' },
);

const inOrder = (rows: readonly Row[]): Row[] => rows.toSorted((a, b) => a.order - b.order || a.seq - b.seq);

test('rows stand oldest first, whatever was added and removed in whatever order', () => {
  fc.assert(
    fc.property(steps, fc.nat(10), (script: readonly Step[], probe) => {
      const ordered = new OrderedRows();
      let model: Row[] = [];
      let seq = 0;
      for (const step of script) {
        if (step.kind === 'add') {
          const row = new Row(OWNER, `row_${seq}`, seq++, step.order, {});
          ordered.add(row);
          model.push(row);
        } else if (step.kind === 'read') expect(ordered.all()).toEqual(inOrder(model));
        else if (model.length > 0) {
          const row = model[step.which % model.length];
          ordered.remove(row);
          model = model.filter((each) => each !== row);
        }
        expect(ordered.size).toBe(model.length);
      }
      expect(ordered.all()).toEqual(inOrder(model));
      const at = { order: probe, seq: seq / 2 };
      expect(ordered.indexFrom(at)).toBe(model.filter((row) => before(row, at)).length);
    }),
  );
});

test('a row that comes in late by its number finds its place too', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(500), { minLength: 1, maxLength: 60 }), (numbers) => {
      const rows = numbers.map((seq) => new Row(OWNER, `row_${seq}`, seq, 0, {}));
      expect(
        OrderedRows.of(...rows)
          .all()
          .map(({ seq }) => seq),
      ).toEqual(numbers.toSorted((a, b) => a - b));
    }),
  );
});

test('removing what is not there, also of the same place, changes nothing', () => {
  const row = new Row(OWNER, 'row_1', 1, 5, {});
  const rows = OrderedRows.of(row);
  rows.remove(new Row(OWNER, 'row_2', 1, 5, {}));
  rows.remove(new Row(OWNER, 'row_3', 9, 9, {}));
  expect(rows.all()).toEqual([row]);
});

test('older is what has the smaller order, then the smaller number', () => {
  fc.assert(
    fc.property(fc.nat(3), fc.nat(3), fc.nat(3), fc.nat(3), (order, seq, otherOrder, otherSeq) => {
      const [a, b] = [
        { order, seq },
        { order: otherOrder, seq: otherSeq },
      ];
      const same = order === otherOrder && seq === otherSeq;
      expect(before(a, b)).toBe(!same && !before(b, a));
      if (order < otherOrder) expect(before(a, b)).toBe(true);
    }),
  );
});
