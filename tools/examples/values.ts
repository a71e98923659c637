import { type Json } from '../../engine/values/index.js';
import { ANY, compileTemplate, type Environment, type Host, Scope, CodeUnit } from '../../engine/expression/index.js';
import type { Engine } from '../../engine/runtime/index.js';

/** The values that an example has saved, and templates that read them. */
export class SavedValues {
  readonly #values = new Map<string, Json>();

  constructor(private readonly engine: Engine) {}

  set(name: string, value: Json): void {
    this.#values.set(name, value);
  }

  /**
   * Evaluates a template.
   * @param it the compared value, if there is one
   * @throws TemplateError for unsaved names
   */
  fill(value: Json, it?: Json): Json {
    const env: Environment = this.engine.model.env;
    const unit = new CodeUnit('example');
    const scope = new Scope(unit);
    const known: [string, Json][] = [...this.#values, ...(it === undefined ? [] : [['it', it] as [string, Json]])];
    const names = known.map(([name]) => scope.declare(name, ANY).js);
    const run = unit.expression<[Host, ...Json[]]>(['x', ...names], compileTemplate(value, scope, env));
    return run(hostOf(this.engine), ...known.map(([, each]) => each));
  }
}

/** Whether a text is one expression about `it`: a condition, not an expected value. */
export function isCondition(text: string): boolean {
  return text.startsWith('${') && text.endsWith('}') && /(?<![.\w])it\b/.test(withoutQuotes(text));
}

function withoutQuotes(text: string): string {
  return text.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, '');
}

/** Creates the host of an example's expressions. They can read values that clients see, and of the world only its time. */
function hostOf({ world }: Engine): Host {
  const seen = { now: world.now, nowMs: world.nowMs, baseUrl: '' };
  return new Proxy(seen as unknown as Host, {
    get(target, key) {
      if (typeof key === 'string' && Object.hasOwn(target, key)) return Reflect.get(target, key) as unknown;
      throw new Error(`examples cannot use what reads the world (${String(key)}): they see what clients see`);
    },
  });
}
