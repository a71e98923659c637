import { LIMITS } from '../../../engine/limits.js';
import type { Operation, Program } from '../../../engine/program/index.js';
import type { ResourceDef, Schema } from '../../../engine/model/index.js';
import type { Dice } from '../simulate/dice.js';
import { http, type HttpCall, KEY, withQuery } from './call.js';

/** Generates small calls with large responses: expansions, aliases, introspection, nested lists. */
export class MultipliedCalls {
  readonly #reads: readonly Operation[];

  constructor(
    private readonly program: Program,
    private readonly dice: Dice,
  ) {
    this.#reads = program.operations.filter(({ kind, routes }) => kind === 'list' && routes[0].names.length === 0);
  }

  next(): HttpCall {
    const { dice, program } = this;
    const share = dice.below(3);
    if (share === 0 && program.graphql !== null) return this.#document(program.graphql.path);
    if (share === 1) return this.#nested();
    return this.#expanded();
  }

  /** Generates a call for a list with the largest page size and every expansion. */
  #expanded(): HttpCall {
    const { dice, program } = this;
    const headers = { authorization: `Bearer ${KEY}` };
    if (this.#reads.length === 0) return http('GET', '/', headers);
    const operation = dice.one(this.#reads);
    const { expansion, lists } = program.model.settings;
    const query: string[] = [`${lists.param}=100`];
    if (expansion !== null) {
      const paths = Array.from({ length: 1 + dice.below(8) }, () => this.#path(operation.resource, expansion.maxDepth));
      query.push(...paths.map((path) => `${expansion.param}[]=data.${path}`));
    }
    return http('GET', withQuery(operation.routes[0].path, query.join('&')), headers);
  }

  #path(resource: ResourceDef, depth: number): string {
    const { dice, program } = this;
    const names: string[] = [];
    for (let at: ResourceDef | undefined = resource; at !== undefined && names.length < depth;) {
      const asked: [string, Schema][] = [...at.schema.fields].filter(
        ([, { kind, on_expand }]) => kind === 'ref' || on_expand === true,
      );
      if (asked.length === 0) break;
      const [name, schema]: [string, Schema] = dice.one(asked);
      names.push(name);
      at = schema.kind === 'ref' ? program.model.byName.get(dice.one(schema.refs)) : undefined;
    }
    return names.join('.');
  }

  #document(path: string): HttpCall {
    const { dice } = this;
    const depth = 1 + dice.below(5);
    const types = `{ types { name ${'fields { name type { name '.repeat(depth)}${'} } '.repeat(depth)}} }`;
    const asked = dice.one([
      `__schema ${types}`,
      '__schema { types { fields { args { type { ofType { ofType { name } } } } enumValues { name } } } }',
      '__type(name: "Query") { fields { name description type { name } args { name type { name } } } }',
      'viewer { login repositories(first: 100) { nodes { name issues(first: 100) { nodes { title body } } } } }',
    ]);
    const aliases = Array.from({ length: 1 + dice.below(200) }, (_, at) => `a${at}: ${asked}`);
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    return http('POST', path, headers, JSON.stringify({ query: `{ ${aliases.join(' ')} }` }));
  }

  /** Generates a call with deeply nested lists in a tool's argument or a body. */
  #nested(): HttpCall {
    const { dice, program } = this;
    const depth = dice.one([LIMITS.bodyDepth.value - 4, LIMITS.bodyDepth.value, 5_000, 100_000]);
    const list = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    const { path } = dice.one(program.operations).routes[0];
    const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":${list}}}}`;
    return dice.chance(50) ? http('POST', '/mcp', headers, message) : http('POST', path, headers, `{"a":${list}}`);
  }
}
