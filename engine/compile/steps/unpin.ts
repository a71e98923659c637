import type { UnpinStep } from '../../model/index.js';
import { stepKind } from './kind.js';
import { pinTarget } from './target.js';

/** `unpin`: takes back what pins decide at a path of an object. */
export const compileUnpin = stepKind({
  check(step: UnpinStep, place, context) {
    const object = pinTarget(context, step.to, step.unpin, place, 'unpin');
    return object && { object, path: step.unpin };
  },

  run({ object, path }) {
    return (frame, execution) => {
      const row = object.row(frame, execution);
      const { pins } = execution.world;
      for (const pin of [...pins.of(row.resource)]) {
        if (pin.object === row.id && pin.path === path) execution.transaction.write(pins, pin.id, undefined);
      }
      return undefined;
    };
  },
});
