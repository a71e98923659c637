import type { JsonObject } from '../../../engine/values/index.js';
import type { PresumedObjects } from './presumed-objects.js';
import type { PresumedPeople } from './presumed-people.js';
import type { PresumedPulls } from './presumed-pulls.js';
import { REACTED_TO } from './presumed-tables.js';
import { mapIn, milestoneOf, type ShownObject, shownText, loginIn, textsIn } from './presumed-values.js';

/** Issues in a reconstructed world, with comments, events, milestones and reactions. */
export class PresumedIssues {
  readonly #firstNumber = new Map<string, number>();
  readonly #lastNumber = new Map<string, number>();
  readonly #madeReactions = new Set<string>();

  constructor(
    private readonly objects: PresumedObjects,
    private readonly people: PresumedPeople,
    private readonly pulls: PresumedPulls,
  ) {}

  /** Notes that a call created an issue, a pull request or a milestone; later numbers continue from it. */
  make(kind: string, repo: string, number: number, path: string): void {
    if (/^(?:issues|pulls)$/.test(kind) && !this.#firstNumber.has(repo) && /\/(?:issues|pulls)$/.test(path))
      this.#firstNumber.set(repo, number);
    if (kind === 'milestones') this.#beforeMilestone(repo, number - 1);
  }

  /** Notes that a call created a reaction, so that it is no initial object. */
  makeReaction(recorded: string): void {
    this.#madeReactions.add(recorded);
  }

  /** The number of the first issue or pull request that a call creates. */
  nextNumber(repo: string): number {
    return this.#firstNumber.get(repo) ?? (this.#lastNumber.get(repo) ?? 0) + 1;
  }

  /** Adds the derived fields of a row. False if the object must be omitted. */
  fill({ kind, repo, id, value, row }: ShownObject): boolean {
    const { number } = value;
    // Issues and pull requests share their numbers.
    if (typeof number === 'number' && /^(?:issues|pulls)$/.test(kind))
      this.#lastNumber.set(repo, Math.max(number, this.#lastNumber.get(repo) ?? 0));
    switch (kind) {
      case 'issues':
        row['tags'] = textsIn(value['labels'], 'name').filter(Boolean);
        row['assigned'] = textsIn(value['assignees'], 'login');
        row['closer'] = loginIn(value['closed_by']) || null;
        row['is_pull'] = 'pull_request' in value;
        row['comment_count'] = typeof value['comments'] === 'number' ? value['comments'] : 0;
        if (row['is_pull']) this.pulls.stubs.set(id, mapIn(value['pull_request'])['merged_at'] ?? null);
        row['milestone_id'] = milestoneOf(repo, value);
        break;
      case 'comments': {
        const issue = shownText(value['issue_url']).split('/').at(-1) ?? '';
        const of = `${repo}/${issue}`;
        row['issue_id'] = of;
        const stub = { id: of, repo_id: repo, number: Number(issue), title: 'an issue', state: 'open' };
        this.objects.presume('issues', of, stub);
        break;
      }
      case 'issue_events': {
        const of = shownText(mapIn(value['issue'])['number']);
        if (of === '') return false;
        row['issue_id'] = `${repo}/${of}`;
        row['actor_login'] = loginIn(value['actor']) || null;
        break;
      }
    }
    return true;
  }

  /** Adds reactions, whose subject is only in the path. */
  ofPath(repo: string, rest: string, each: JsonObject): void {
    const [, subject, reaction] = /^(.+?)\/reactions(?:\/(\d+))?$/.exec(rest) ?? [];
    if (subject !== undefined) this.#reaction(repo, subject, reaction === undefined ? each : { ...each, id: reaction });
  }

  /** Removes milestones that no response shows. */
  complete(): void {
    for (const row of this.objects.of('issues').values()) {
      const milestone = shownText(row['milestone_id']);
      if (milestone !== '' && !this.objects.of('milestones').has(milestone)) row['milestone_id'] = null;
    }
  }

  /** Sets the last used milestone number. */
  #beforeMilestone(repo: string, number: number): void {
    const id = `${repo}/${number}`;
    const row = { id, repo_id: repo, number, title: 'an old one', state: 'closed' };
    if (number > 0 && !this.objects.made.has(`repos ${repo}/`)) this.objects.presume('milestones', id, row);
  }

  /** Adds a reaction that is listed or deleted, unless a call created it. */
  #reaction(repo: string, subject: string, value: JsonObject): void {
    const recorded = shownText(value['id']);
    const [, name, number] = /^(issues\/comments|pulls\/comments|issues|comments|releases)\/(\d+)$/.exec(subject) ?? [];
    if (name === undefined || recorded === '' || this.#madeReactions.has(recorded) || this.objects.ids.has(recorded))
      return;
    const [kind, collection] = REACTED_TO[name];
    const part = collection === null ? `${repo}/${number}` : this.objects.idOf(collection, repo, number);
    const id = this.objects.idOf('reactions', repo, recorded);
    const user_login = loginIn(value['user']) || this.people.login;
    this.objects.of('reactions').set(id, {
      ...this.objects.fields('reactions', { content: '+1', ...value }),
      id,
      of: `${kind}:${part}`,
      ...(user_login !== undefined && { user_login }),
    });
  }
}
