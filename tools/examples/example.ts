import type { Json, JsonObject } from '../../engine/expression/index.js';

/** A call of an example, as schemas/example.schema.json lets it through. */
export interface ExampleCall {
  readonly call: string;
  readonly description?: string;
  readonly plane?: 'vendor' | 'control';
  readonly form?: JsonObject;
  readonly json?: Json;
  readonly query?: JsonObject;
  readonly headers?: JsonObject;
  readonly expect?: { readonly status?: number; readonly body?: Json; readonly headers?: JsonObject };
  readonly save?: Readonly<Record<string, string>>;
}

/** A file of `examples/`: calls in order, and what they must answer. */
export interface ExampleFile {
  readonly example: string;
  readonly description?: string;
  readonly calls: readonly ExampleCall[];
}
