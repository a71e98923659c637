import type { Plugin } from 'rolldown';

/** Removes or defers code that packages run when they are loaded and that no start needs. */
const CHANGES: readonly {
  readonly file: string;
  readonly texts: readonly (readonly [before: string, after: string])[];
}[] = [
  {
    // Removes body parsers and file responses from Express: callers import their packages directly.
    file: '/express/lib/express.js',
    texts: [
      ["var bodyParser = require('body-parser')", ''],
      ['exports.json = bodyParser.json', ''],
      ['exports.raw = bodyParser.raw', ''],
      ["exports.static = require('serve-static');", ''],
      ['exports.text = bodyParser.text', ''],
      ['exports.urlencoded = bodyParser.urlencoded', ''],
    ],
  },
  {
    // Removes commander's support for commands in separate executables.
    file: '/commander/lib/command.js',
    texts: [
      [
        "const childProcess = require('node:child_process');",
        "const childProcess = { spawn: (...given) => require('node:child_process').spawn(...given) };",
      ],
    ],
  },
  {
    // Defers loading a list of 2,500 media types, and two maps of it.
    file: '/mime-types/index.js',
    texts: [
      ["var db = require('mime-db')", 'var db'],
      ['function charset (type) {', 'function charset (type) {\n  populated()'],
      [
        'populateMaps(exports.extensions, exports.types)',
        `var populated = function () {
  populated = function () {}
  db = require('mime-db')
  populateMaps(exports.extensions, exports.types)
}`,
      ],
      ['function extension (type) {', 'function extension (type) {\n  populated()'],
      ['function lookup (path) {', 'function lookup (path) {\n  populated()'],
    ],
  },
  {
    // Removes a client for network references, which document-files.ts rejects.
    file: '/@apidevtools/json-schema-ref-parser/dist/lib/resolvers/http.js',
    texts: [['const undici = (await import(undiciModuleName));', 'const undici = {};']],
  },
];

/** Changes packages in the bundle. @throws Error if a package no longer has the expected text */
export function trimmed(): Plugin {
  return {
    name: 'trimmed',
    transform(code, id) {
      const change = CHANGES.find(({ file }) => id.endsWith(`/node_modules${file}`));
      return change?.texts.reduce((text, [before, after]) => {
        if (text.split(before).length !== 2) throw new Error(`${id} no longer has '${before}' once`);
        return text.replace(before, after);
      }, code);
    },
  };
}
