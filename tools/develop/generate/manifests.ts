import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { isObject, type Json } from '../../../engine/values/index.js';
import { installation } from '../../command/installation.js';

/** Values that a Helm template refers to: `.Release`, `.Values`. */
type Context = Readonly<Record<string, Json>>;

const HEAD = `# Written from chart/ by npm run docs. kubectl apply -f tools/container/kubernetes.yaml, after making the secret that it names:
#   kubectl create secret generic sandbox --from-literal=key=sk_test_... --from-literal=store=postgres://user:password@host:5432/sandbox
# What each value is for: docs/guides/running-for-a-team.md.
`;
/** Matches `{{ ... }}`, and `{{- ... }}` with the space before it. */
const ACTION = /(\s*\{\{- .*? \}\}|\{\{ .*? \}\})/;

/** Renders the manifests for kubectl: the chart with its default values, as a release named `sandbox`. */
export function manifests(): string {
  const chart = join(installation(), 'tools', 'container', 'chart');
  const values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8')) as Json;
  const template = readFileSync(join(chart, 'templates', 'sandbox.yaml'), 'utf8');
  return HEAD + rendered(template, { Release: { Name: 'sandbox' }, Values: values });
}

/** Renders a Helm template; supports values, `toYaml` with `nindent`, `tpl` and `with`. @throws Error for a missing value or other syntax */
export function rendered(template: string, context: Context): string {
  let dot: Json = context;
  let isLeftOut = false;
  return template
    .split(ACTION)
    .map((part, index) => {
      if (index % 2 === 0) return isLeftOut ? '' : part;
      const action = part.replace(/^\s*\{\{-? (.*) \}\}$/, '$1');
      const block = /^with (\S+)$/.exec(action);
      if (block) {
        dot = valueAt(context, block[1]);
        isLeftOut = Array.isArray(dot) && dot.length === 0;
      } else if (action === 'end') {
        dot = context;
        isLeftOut = false;
      } else if (!isLeftOut) return written(action, context, dot);
      return '';
    })
    .join('');
}

function written(action: string, context: Context, dot: Json): string {
  const [, isTemplate, path, indent] =
    /^(?:toYaml |(tpl ))?(\.[\w.]*)(?: \.)?(?: \| nindent (\d+))?$/.exec(action) ?? [];
  if (path === undefined) throw new Error(`{{ ${action} }} is none of the actions that are known`);
  const value = path === '.' ? dot : valueAt(context, path);
  if (indent !== undefined)
    return stringify(value)
      .trimEnd()
      .replace(/^/gm, ' '.repeat(Number(indent)))
      .replace(/^/, '\n');
  return isTemplate === undefined ? String(value) : rendered(String(value), context);
}

function valueAt(context: Context, path: string): Json {
  let value: Json | undefined = context;
  for (const name of path.slice(1).split('.')) value = isObject(value) ? value[name] : undefined;
  if (value === undefined) throw new Error(`the chart has no ${path}`);
  return value;
}
