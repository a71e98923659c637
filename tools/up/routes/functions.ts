import { dirname, normalize } from 'node:path';
import { parse } from 'yaml';
import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import { membersOf, parseObject } from '../json.js';
import { type Code, type DeclaredRoute, joined } from './code.js';

/** Matches paths of files whose name is the route of a function. */
const NETLIFY = /(?:^|\/)([\w-]+)(?:\/(?:index|\1))?\.(?:[cm]?[jt]s|py|go)$/;
const OWN_PATH = /\bconfig\b[^=]{0,40}=\s*\{[^}]{0,400}?\bpath:\s*["'`]([^"'`\n]{1,200})["'`]/;
const SERVED =
  /\bexport\s+(?:default\b|(?:const|async\s+function|function)\s+(?:POST|handler)\b)|\bmodule\.exports\b|\bexports\.handler\b/;
/** Matches code of a router that an application mounts, which is no function of its own. */
const ROUTER = /\bRouter\(|\bexpress\(/;

/** Finds the routes of serverless functions: Netlify, Vercel, Supabase, AWS (SAM and Serverless), Cloudflare Workers. */
export function routesOfFunctions(code: Code): readonly DeclaredRoute[] {
  return [
    ...routesOfNetlify(code),
    ...routesOfVercel(code),
    ...routesOfSupabase(code),
    ...code.named(/(?:^|\/)(?:template|serverless)\.ya?ml$/).flatMap((file) => routesOfTemplate(code, file)),
    ...routesOfWorkers(code),
  ];
}

function routesOfNetlify(code: Code): readonly DeclaredRoute[] {
  const folders = new Map<string, string>();
  for (const settings of code.named(/(?:^|\/)netlify\.toml$/)) {
    const own = /^[ \t]*(?:functions|directory)[ \t]*=[ \t]*["']([^"'\n]{1,200})["']/m.exec(code.text(settings))?.[1];
    folders.set(normalize(`${dirname(settings)}/${own ?? 'netlify/functions'}`).replace(/\/$/, ''), settings);
  }
  return code.files.flatMap((file): readonly DeclaredRoute[] => {
    const folder = [...folders.keys()].find((each) => file.startsWith(`${each}/`)) ?? usualFolder(file);
    if (folder === undefined) return [];
    const name = NETLIFY.exec(file.slice(folder.length));
    // Skips files in folders below a function, which are its parts.
    if (name === null || name.index > 0) return [];
    const text = code.text(file);
    if (!SERVED.test(text)) return [];
    const path = OWN_PATH.exec(text)?.[1] ?? `/.netlify/functions/${name[1]}`;
    return [{ path: joined(path), file, isWhole: true, server: 'netlify/functions/x' }];
  });
}

function usualFolder(file: string): string | undefined {
  return /^(?:.*\/)?netlify\/functions(?=\/)/.exec(file)?.[0];
}

/** Finds routes of Vercel functions: files in `api/` beside a vercel.json. */
function routesOfVercel(code: Code): readonly DeclaredRoute[] {
  return code.named(/(?:^|\/)vercel\.json$/).flatMap((settings) => {
    const base = settings.slice(0, -'vercel.json'.length);
    return code.files.flatMap((file): readonly DeclaredRoute[] => {
      const name = file.startsWith(`${base}api/`)
        ? /^(.+?)(?:\/index)?\.(?:[cm]?[jt]s)$/.exec(file.slice(base.length))?.[1]
        : undefined;
      if (name === undefined || !SERVED.test(code.text(file)) || ROUTER.test(code.text(file))) return [];
      return [{ path: `/${name}`, file, isWhole: true, server: `${base}vercel.json` }];
    });
  });
}

function routesOfSupabase(code: Code): readonly DeclaredRoute[] {
  return code.files.flatMap((file): readonly DeclaredRoute[] => {
    const name = /(?:^|\/)supabase\/functions\/([a-z][\w-]*)\/index\.[jt]s$/.exec(file)?.[1];
    return name === undefined ? [] : [{ path: `/functions/v1/${name}`, file, isWhole: true }];
  });
}

/** Finds routes in a template of AWS SAM, or a file of the Serverless framework. */
function routesOfTemplate(code: Code, file: string): readonly DeclaredRoute[] {
  const template = parseObject(code.text(file), (text) => parse(text, { logLevel: 'silent' }) as unknown);
  const events = [
    ...objectsIn(template, 'Resources').flatMap((each) => objectsIn(membersOf(each, 'Properties'), 'Events')),
    ...objectsIn(template, 'functions').flatMap((each) =>
      Array.isArray(each['events']) ? (each['events'] as Json[]) : [],
    ),
  ];
  return events.flatMap((event): readonly DeclaredRoute[] => {
    if (!isObject(event)) return [];
    const http =
      event['http'] ?? event['httpApi'] ?? (/Api$/.test(String(event['Type'])) ? event['Properties'] : undefined);
    const [method, path] = typeof http === 'string' ? http.split(/\s+/, 2) : methodAndPath(http);
    if (typeof path !== 'string' || !/^(?:post|any|x-amazon-apigateway-any-method|\*)$/i.test(String(method)))
      return [];
    // For the event `http`, the local server puts the stage before the path, so the path isn't whole.
    return [{ path: joined(path), file, isWhole: event['http'] === undefined }];
  });
}

function methodAndPath(http: Json | undefined): readonly [method: Json | undefined, path: Json | undefined] {
  if (http === undefined || !isObject(http)) return [undefined, undefined];
  return [http['method'] ?? http['Method'], http['path'] ?? http['Path']];
}

/** Lists the objects among the members of an object's member. */
function objectsIn(of: JsonObject, key: string): readonly JsonObject[] {
  return Object.values(membersOf(of, key)).filter(isObject);
}

/** Finds paths that the code of a Cloudflare Worker compares itself. */
function routesOfWorkers(code: Code): readonly DeclaredRoute[] {
  return code.named(/(?:^|\/)wrangler\.(?:toml|jsonc?)$/).flatMap((settings) => {
    const base = settings.slice(0, settings.lastIndexOf('/') + 1);
    return code.files
      .filter(
        (file) => file.startsWith(base) && /\.[cm]?[jt]s$/.test(file) && /\bfetch\s*\(|\bfetch:/.test(code.text(file)),
      )
      .flatMap((file) =>
        [...code.text(file).matchAll(/\bpathname\s*===?\s*["']([^"'\n]{1,200})["']/g)].map(([, path]) => ({
          path: joined(path),
          file,
          isWhole: true,
        })),
      );
  });
}

/** Whether a router of itty-router handles the calls of a Worker. */
export function isWorker(text: string, name: string): boolean {
  return (
    /["']itty-router["']/.test(text) &&
    new RegExp(
      String.raw`\b${name.replaceAll('$', '\\$')}\.(?:handle|fetch)\b|export default (?:\{ )?\.{0,3}${name.replaceAll('$', '\\$')}\b`,
    ).test(text)
  );
}
