import type { JsonObject } from '../../../engine/values/index.js';
import type { PresumedObjects } from './presumed-objects.js';
import { listIn, type ShownObject, shownText, loginIn } from './presumed-values.js';

/** Releases in a reconstructed world, and their files. */
export class PresumedReleases {
  constructor(private readonly objects: PresumedObjects) {}

  /** Adds the derived fields of a row. False if the object must be omitted. */
  fill({ kind, repo, part, id, value, row }: ShownObject): boolean {
    switch (kind) {
      case 'releases':
        row['user_login'] = loginIn(value['author']);
        for (const each of listIn(value['assets'])) this.#asset(repo, id, each);
        break;
      case 'release_assets':
        // An asset doesn't name its release: it gets a separate one unless a release contains it.
        row['release_id'] = this.objects.idOf('releases', repo, `of ${part}`);
        this.objects
          .of('releases')
          .set(row['release_id'], { id: row['release_id'], repo_id: repo, tag_name: `of-${part}` });
        row['user_login'] = loginIn(value['uploader']);
        break;
    }
    return true;
  }

  #asset(repo: string, release: string, value: JsonObject): void {
    const id = this.objects.idOf('release_assets', repo, shownText(value['id']));
    const uploader = loginIn(value['uploader']);
    const row = { ...this.objects.fields('release_assets', value), id, repo_id: repo, release_id: release };
    this.objects.of('release_assets').set(id, { ...row, ...(uploader !== '' && { user_login: uploader }) });
  }
}
