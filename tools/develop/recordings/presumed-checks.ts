import type { Json, JsonObject } from '../../../engine/values/index.js';
import type { PresumedGit } from './presumed-git.js';
import type { PresumedObjects } from './presumed-objects.js';
import { BARE_RUN, SHA } from './presumed-tables.js';
import { digest, listIn, mapIn, pick, type ShownObject, shownText, loginIn } from './presumed-values.js';

/** Checks, workflows and deployments in a reconstructed world, with their suites, runs, artifacts and statuses. */
export class PresumedChecks {
  constructor(
    private readonly objects: PresumedObjects,
    private readonly git: PresumedGit,
  ) {}

  /** Adds the derived fields of a row. False if the object must be omitted. */
  fill({ kind, repo, path, id, value, row }: ShownObject): boolean {
    switch (kind) {
      case 'workflows':
        row['triggers'] = ['push', 'workflow_dispatch'];
        break;
      case 'workflow_runs':
        row['workflow_ref'] = this.#workflow(
          repo,
          value['workflow_id'],
          shownText(value['name']),
          shownText(value['path']),
        );
        row['user_login'] = loginIn(value['actor']);
        this.git.commit(repo, shownText(value['head_sha']), mapIn(value['head_commit']));
        for (const [key, first] of Object.entries(BARE_RUN)) row[key] ??= first;
        if (row['user_login'] === '') delete row['user_login'];
        break;
      case 'workflow_jobs':
        row['head_branch'] ??= 'main';
        row['run'] = this.objects.ids.get(String(value['run_id'])) ?? null;
        break;
      case 'artifacts': {
        const run = shownText(mapIn(value['workflow_run'])['id']);
        row['run_id'] = run === '' ? null : this.#run(repo, run, mapIn(value['workflow_run']));
        break;
      }
      case 'check_suites':
        this.git.commit(repo, shownText(value['head_sha']), {
          ...mapIn(value['head_commit']),
          tree: { sha: shownText(mapIn(value['head_commit'])['tree_id']) },
        });
        this.#runOf(repo, id, value);
        break;
      case 'check_runs':
        row['check_suite_id'] = this.#suite(repo, mapIn(value['check_suite'])['id'], shownText(value['head_sha']));
        row['output_given'] = pick(mapIn(value['output']), ['title', 'summary', 'text']);
        break;
      case 'deployment_statuses':
        row['deployment_id'] = this.objects.idOf('deployments', repo, /deployments\/(\d+)/.exec(path)?.[1] ?? '');
        break;
    }
    return true;
  }

  /** Reads objects that belong to the path: branches and tags whose checks are listed, and annotations of a check. */
  ofPath(repo: string, rest: string, value: JsonObject, listed: readonly JsonObject[]): void {
    const [, ref] = /^commits\/([^/]+)\/check-(?:runs|suites)$/.exec(rest) ?? [];
    const first = listIn(value['check_runs'] ?? value['check_suites'])[0];
    if (ref !== undefined && !SHA.test(ref) && first !== undefined)
      this.git.ref(repo, `refs/heads/${ref}`, shownText(first['head_sha']));
    const [, check] = /^check-runs\/(\d+)\/annotations$/.exec(rest) ?? [];
    if (check === undefined || this.objects.made.has(`check_runs ${repo}/${check}`)) return;
    const id = this.objects.idOf('check_runs', repo, check);
    const head_sha = digest(id);
    const known = this.objects.of('check_runs').get(id) ?? {
      ...{ id, repo_id: repo, name: 'a check', head_sha, check_suite_id: this.#suite(repo, `of ${check}`, head_sha) },
      ...{ status: 'completed', conclusion: 'neutral' },
    };
    const before = listIn(mapIn(known['output_given'])['annotations']);
    const annotations = [
      ...before,
      ...listed.filter((each) => !before.some((one) => JSON.stringify(one) === JSON.stringify(each))),
    ];
    this.objects.of('check_runs').set(id, { ...known, output_given: { ...mapIn(known['output_given']), annotations } });
  }

  #suite(repo: string, recorded: Json | undefined, sha: string): string {
    const id = this.objects.idOf('check_suites', repo, String(recorded ?? this.objects.count));
    this.objects.add('check_suites', id, { id, repo_id: repo, head_sha: sha, head_branch: null });
    return id;
  }

  /** The state of a suite follows from its runs, so a finished suite gets one. */
  #runOf(repo: string, check_suite_id: string, value: JsonObject): void {
    const { conclusion, head_sha } = value;
    if (typeof conclusion !== 'string') return;
    const id = this.objects.idOf('check_runs', repo, `of suite ${check_suite_id}`);
    const row = { id, repo_id: repo, check_suite_id, head_sha: head_sha ?? '', name: 'a check', status: 'completed' };
    this.objects.of('check_runs').set(id, { ...row, conclusion, output_given: {} });
  }

  #workflow(repo: string, recorded: Json | undefined, name: string, path: string): string {
    const id = this.objects.idOf('workflows', repo, String(recorded ?? this.objects.count));
    this.objects.add('workflows', id, {
      id,
      repo_id: repo,
      name,
      path: path || '.github/workflows/ci.yml',
      state: 'active',
      triggers: ['push', 'workflow_dispatch'],
    });
    return id;
  }

  /** Adds a run of which only the id is recorded. */
  #run(repo: string, recorded: string, value: JsonObject): string {
    const id = this.objects.idOf('workflow_runs', repo, recorded);
    const workflow_ref = this.#workflow(repo, undefined, 'CI', '');
    const row = { ...BARE_RUN, id, repo_id: repo, workflow_ref, status: 'completed' };
    const head = pick(value, ['head_branch', 'head_sha']);
    this.objects.add('workflow_runs', id, { ...row, ...head, conclusion: 'success' });
    return id;
  }
}
