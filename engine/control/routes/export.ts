import { type Bug, bugOf } from '../bug.js';
import { type ControlContext, type ControlRoute, route } from '../context.js';

/** The world as one file. */
export function exportRoutes({ engine, header }: ControlContext): ControlRoute[] {
  return [route('GET /export', {}, () => ({ chunks: textOf(bugOf(engine, header, header.fork?.entry ?? null)) }))];
}

/** JSON, a step on a line. */
function* textOf({ steps, ...rest }: Bug): Generator<string> {
  for (const [name, value] of Object.entries(rest))
    yield `${name === 'format' ? '{' : ',\n'}${JSON.stringify(name)}: ${JSON.stringify(value)}`;
  yield ',\n"steps": [';
  for (const [at, step] of steps.entries()) yield `${at > 0 ? ',' : ''}\n${JSON.stringify(step)}`;
  yield '\n]}\n';
}
