import type { Json, JsonObject } from '../../../engine/values/index.js';
import type { PresumedGit } from './presumed-git.js';
import { SHA } from './presumed-kinds.js';
import type { PresumedSeed, ShownObject } from './presumed-seed.js';
import { digest, listIn, mapIn, pick, shownText } from './presumed-values.js';

/** Default members of a workflow run of which only the id is recorded. */
const BARE_RUN = { run_number: 1, event: 'push', head_branch: 'main', head_sha: '' };
const TRIGGERS = ['push', 'workflow_dispatch'];

/** Checks, workflows, deployments and releases in a reconstructed world, with their suites, runs, artifacts, statuses and files. */
export class PresumedChecks {
  constructor(
    private readonly seed: PresumedSeed,
    private readonly git: PresumedGit,
  ) {}

  /** Adds the derived fields of a row, and returns whether the object may be added. */
  fill({ kind, repo, part, path, id, value, row }: ShownObject): boolean {
    const sha = shownText(value['head_sha']);
    switch (kind) {
      case 'workflows':
        row['triggers'] = TRIGGERS;
        break;
      case 'workflow_runs':
        row['workflow_ref'] = this.#workflow(repo, value['workflow_id'], value);
        this.git.commit(repo, sha, mapIn(value['head_commit']));
        for (const [key, first] of Object.entries(BARE_RUN)) row[key] ??= first;
        break;
      case 'workflow_jobs':
        row['head_branch'] ??= 'main';
        row['run'] = this.seed.ids.get(String(value['run_id'])) ?? null;
        break;
      case 'artifacts':
        row['run_id'] = this.#run(repo, mapIn(value['workflow_run']));
        break;
      case 'check_suites': {
        const commit = mapIn(value['head_commit']);
        this.git.commit(repo, sha, { ...commit, tree: { sha: shownText(commit['tree_id']) } });
        // Adds a finished run to a finished suite, whose state follows from its runs.
        const over = { head_sha: sha, conclusion: value['conclusion'], name: 'a check', status: 'completed' };
        if (typeof value['conclusion'] === 'string')
          this.seed.set('check_runs', this.seed.idOf('check_runs', repo, `of suite ${id}`), {
            ...{ ...over, repo_id: repo, check_suite_id: id, output_given: {} },
          });
        break;
      }
      case 'check_runs':
        row['check_suite_id'] = this.#suite(repo, mapIn(value['check_suite'])['id'], sha);
        row['output_given'] = pick(mapIn(value['output']), ['title', 'summary', 'text']);
        break;
      case 'deployment_statuses':
        row['deployment_id'] = this.seed.idOf('deployments', repo, /deployments\/(\d+)/.exec(path)?.[1]);
        break;
      case 'releases':
        for (const each of listIn(value['assets'])) {
          const asset = this.seed.shown(['release_assets', repo, shownText(each['id']), ''], each);
          this.seed.set('release_assets', asset.id, { ...asset.row, release_id: id });
        }
        break;
      case 'release_assets': {
        // Adds a separate release for an asset, which doesn't name its own, unless a recorded release contains the asset.
        const release = this.seed.idOf('releases', repo, `of ${part}`);
        this.seed.set('releases', release, { repo_id: repo, tag_name: `of-${part}` });
        row['release_id'] = release;
        break;
      }
    }
    return true;
  }

  /** Adds objects that only the path identifies: branches and tags whose checks are listed, and annotations of a check. */
  ofPath(repo: string, rest: string, value: JsonObject, listed: readonly JsonObject[]): void {
    const [, ref] = /^commits\/([^/]+)\/check-(?:runs|suites)$/.exec(rest) ?? [];
    const first = listIn(value['check_runs'] ?? value['check_suites'])[0];
    if (ref !== undefined && !SHA.test(ref) && first !== undefined)
      this.git.ref(repo, `refs/heads/${ref}`, shownText(first['head_sha']));
    const [, check] = /^check-runs\/(\d+)\/annotations$/.exec(rest) ?? [];
    if (check === undefined || this.seed.isMade('check_runs', `${repo}/${check}`)) return;
    const id = this.seed.idOf('check_runs', repo, check);
    const head_sha = digest(id);
    const known = this.seed.get('check_runs', id) ?? {
      ...{ repo_id: repo, name: 'a check', head_sha, check_suite_id: this.#suite(repo, `of ${check}`, head_sha) },
      ...{ status: 'completed', conclusion: 'neutral' },
    };
    const output = mapIn(known['output_given']);
    const all = [...listIn(output['annotations']), ...listed].map((each) => [JSON.stringify(each), each] as const);
    this.seed.set('check_runs', id, { ...known, output_given: { ...output, annotations: [...new Map(all).values()] } });
  }

  #suite(repo: string, recorded: Json | undefined, sha: string): string {
    const id = this.seed.idOf('check_suites', repo, recorded === undefined ? undefined : String(recorded));
    this.seed.add('check_suites', id, { repo_id: repo, head_sha: sha, head_branch: null });
    return id;
  }

  #workflow(repo: string, recorded: Json | undefined, { name = '', path = '' }: JsonObject): string {
    const id = this.seed.idOf('workflows', repo, recorded === undefined ? undefined : String(recorded));
    const file = shownText(path) || '.github/workflows/ci.yml';
    const row = { repo_id: repo, name: shownText(name), path: file, state: 'active', triggers: TRIGGERS };
    this.seed.add('workflows', id, row);
    return id;
  }

  /** Adds a workflow run of which only the id is recorded, and returns its id. */
  #run(repo: string, value: JsonObject): string | null {
    if (value['id'] === undefined) return null;
    const id = this.seed.idOf('workflow_runs', repo, shownText(value['id']));
    const workflow_ref = this.#workflow(repo, undefined, { name: 'CI' });
    const head = pick(value, ['head_branch', 'head_sha']);
    const row = { ...BARE_RUN, repo_id: repo, workflow_ref, status: 'completed', ...head, conclusion: 'success' };
    this.seed.add('workflow_runs', id, row);
    return id;
  }
}

/** Adds the list's filters to workflow runs whose items contain only an id. */
export function runsAsAsked({ searchParams: asked }: URL, path: string, body: Json): Json {
  const [, home, workflow] = /^(\/repos\/[^/]+\/[^/]+\/actions)\/(?:workflows\/([^/]+)\/)?runs$/.exec(path) ?? [];
  if (home === undefined) return body;
  const [actor, created] = [asked.get('actor'), asked.get('created')];
  const what: JsonObject = {
    ...Object.fromEntries([...asked].filter(([name]) => ['event', 'head_sha'].includes(name))),
    ...(asked.has('branch') && { head_branch: asked.get('branch') }),
    ...(/^\d+$/.test(workflow ?? '') && { workflow_id: Number(workflow) }),
    ...(asked.has('status') && { status: 'completed', conclusion: 'success' }),
    ...(actor !== null && { actor: { login: actor } }),
    ...(created !== null && { created_at: `${created.slice(0, 10)}T12:00:00Z` }),
  };
  const runs = listIn(mapIn(body)['workflow_runs']).map((each) => {
    const url = `https://api.github.com${home}/runs/${shownText(each['id'])}`;
    return { url, ...what, ...each };
  });
  return { ...mapIn(body), workflow_runs: runs };
}
