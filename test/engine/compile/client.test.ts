import { mistake, type Mistake, toldAbout } from './mistake.js';

/** What a pack says of the vendor's client is about collections and operations that there are. */

const BEGIN = 'client: { package: p, begin: "const p = 1;", object: p, ';
const added = (name: string, keys: string, ...told: readonly string[]): Mistake =>
  mistake(name, 'pack.yaml', 'timestamps: ', `${BEGIN}${keys} }\ntimestamps: `, ...told);

test.each<Mistake>([
  added('a collection that there is not', 'resources: { custmers: people }', "unknown-collection 'customers'"),
  added('an operation name that there is not', 'methods: { creat: make }', "unknown-operation 'create'"),
  added('an operation that there is not', 'calls: { customers.creat: make }', "unknown-operation 'customers.create'"),
  added('a function that is no name', 'calls: { customers.create: "a b" }', 'invalid-value'),
  added('nothing wrong', 'calls: { customers.create: null }, resources: { customers: people }'),
])('$name', (each) => {
  expect(toldAbout(each)).toEqual(each.told);
});
