import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sendCall } from '../../engine/control/send.cjs';
import { contractVersion } from '../control/contract.js';
import { isUntrusted, TRUST } from '../control/server.js';
import { installation, packsIn, ownVersion } from '../command/installation.js';
import { Exit, type Output } from '../command/output.js';
import { isFree } from '../up/ports.js';

/** The parsed options of `sandbox doctor`. */
export interface DoctorOptions {
  readonly url: string;
  readonly key?: string;
  readonly json?: boolean;
}

interface Finding {
  readonly what: string;
  readonly state: 'fine' | 'note' | 'bad';
  readonly finding: string;
  /** Advice that fixes the finding. */
  readonly advice?: string;
}

const OLDEST_NODE = [20, 12] as const;

/** Checks everything that a sandbox needs on this machine, and the running server, and prints advice. */
export async function doctor(options: DoctorOptions, output: Output): Promise<number> {
  const server = await serverAt(options);
  const findings = [node(), code(), ...installed(), await storeLibrary(), ...environment(), ...server];
  if (options.json) output.print(JSON.stringify({ findings }));
  else for (const finding of findings) for (const line of linesOf(finding, output)) output.print(line);
  return findings.some(({ state }) => state === 'bad') ? Exit.wrongInput : Exit.done;
}

function linesOf({ what, state, finding, advice }: Finding, output: Output): string[] {
  const colour = { fine: 'green', note: 'yellow', bad: 'red' } as const;
  const head = `${output.styled(colour[state], state.padEnd(4))}  ${what}: ${finding}`;
  return advice === undefined ? [head] : [head, `      ${advice}`];
}

function node(): Finding {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  const finding = process.version;
  return isOld
    ? { what: 'Node', state: 'bad', finding, advice: `Install Node ${OLDEST_NODE.join('.')} or newer.` }
    : { what: 'Node', state: 'fine', finding };
}

function code(): Finding {
  const what = 'functions from text';
  const option = '--disallow-code-generation-from-strings';
  if (![...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((text) => text.includes(option)))
    return { what, state: 'fine', finding: 'allowed' };
  const advice = `Start Node without ${option}.`;
  return { what, state: 'bad', finding: 'forbidden: packs cannot be compiled', advice };
}

function installed(): Finding[] {
  const root = installation();
  const packs = packsIn(join(root, 'packs')).map((folder) => folder.slice(join(root, 'packs').length + 1));
  const what = 'installation';
  if (packs.length === 0 || !existsSync(join(root, 'schemas', 'control-plane.openapi.json')))
    return [{ what, state: 'bad', finding: `${root} is not complete`, advice: 'Install it again.' }];
  return [{ what, state: 'fine', finding: `version ${ownVersion()}, packs ${packs.join(', ')}` }];
}

async function storeLibrary(): Promise<Finding> {
  const what = 'files of worlds (--store)';
  try {
    await import('libsql');
    return { what, state: 'fine', finding: 'can be used' };
  } catch {
    const advice = 'Everything but --store works. Install again on this machine, with optional dependencies.';
    return { what, state: 'note', finding: 'the library for this platform is missing', advice };
  }
}

/** Checks environment variables that affect clients or servers on this machine. */
function environment(): Finding[] {
  const findings: Finding[] = [];
  const { HTTP_PROXY, http_proxy: proxy, NO_PROXY, no_proxy: direct } = process.env;
  const bypassed = (NO_PROXY ?? direct ?? '').split(',').some((host) => /^(?:\*|localhost)$/.test(host.trim()));
  if ((HTTP_PROXY ?? proxy) !== undefined && !bypassed)
    findings.push({
      what: 'proxy',
      state: 'note',
      finding: 'HTTP_PROXY is set, and NO_PROXY does not name localhost',
      advice: 'Clients that heed it do not reach a sandbox of this machine: set NO_PROXY=localhost,127.0.0.1.',
    });
  const { NODE_OPTIONS } = process.env;
  if (NODE_OPTIONS !== undefined && NODE_OPTIONS !== '')
    findings.push({
      what: 'NODE_OPTIONS',
      state: 'note',
      finding: NODE_OPTIONS,
      advice: 'It holds for the sandbox too.',
    });
  return findings;
}

async function serverAt({ url, key }: DoctorOptions): Promise<Finding[]> {
  const what = `server at ${url}`;
  const response = await sendCall(`${url.replace(/\/+$/, '')}/__admin__/`, {
    method: 'GET',
    headers: key === undefined ? {} : { Authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(5_000),
  }).catch((error: NodeJS.ErrnoException) => error);
  if (response instanceof Error) {
    if (isUntrusted(response)) return [{ what, state: 'bad', finding: "its certificate isn't trusted", advice: TRUST }];
    return [await nothingAt(url, what)];
  }
  const { 'x-sandbox-contract': contract } = response.headers;
  if (typeof contract !== 'string')
    return [{ what, state: 'bad', finding: "it isn't a sandbox", advice: 'Set its address: --url, or SANDBOX_URL.' }];
  if (response.status === 401) {
    const advice = "Give --key, or set SANDBOX_API_KEY: 'sandbox serve' prints it.";
    return key === undefined
      ? [{ what, state: 'note', finding: 'it responds, and needs its key', advice }]
      : [{ what, state: 'bad', finding: 'it has another key', advice }];
  }
  const own = contractVersion();
  if (contract !== own)
    return [
      {
        what,
        state: 'note',
        finding: `its contract is ${contract}, that of this command ${own}`,
        advice: 'Use the command of the version that serves.',
      },
    ];
  return [{ what, state: 'fine', finding: `it responds, with contract ${contract}` }];
}

async function nothingAt(url: string, what: string): Promise<Finding> {
  const { hostname, port } = new URL(url);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (isHere && !(await isFree(Number(port))))
    return {
      what,
      state: 'bad',
      finding: 'something listens there that is no HTTP server',
      advice: 'Take another port: sandbox serve --port 0.',
    };
  return {
    what,
    state: 'note',
    finding: 'nothing responds',
    advice: "Start one: 'sandbox serve'. Or give its address: --url, or SANDBOX_URL.",
  };
}
