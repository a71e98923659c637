import { formsIn } from './page-forms.js';

/** The page that a visitor sees. */
export interface Seen {
  readonly url: string;
  readonly status: number;
  readonly html: string;
}

/** A person with a browser without scripts: stores cookies, follows redirects within the sandbox and submits forms. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  seen: Seen = { url: '', status: 0, html: '' };
  /** Number of pages shown so far. */
  pages = 0;

  /** Creates a visitor. @param origin of the sandbox; a redirect to another origin isn't followed, and `seen.url` is its target */
  constructor(private readonly origin: string) {}

  open(url: string, headers: Record<string, string> = {}): Promise<Seen> {
    return this.#go(new URL(url, this.origin).href, { headers });
  }

  /** Fills in the form of a button on the current page, and submits it. */
  press(button: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<Seen> {
    const { url, html } = this.seen;
    const form = [...html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].find(([, , inner]) =>
      inner.includes(`>${button}</button>`),
    );
    if (!form) throw new Error(`there is no button '${button}' on ${url}: ${html}`);
    const [, attributes, inner] = form;
    const [whole] = formsIn(
      `<form>${inner.replace(/<button(?![^>]*>[^<]*<\/button>$).*$/s, '')}<button>x</button>`,
    ).values();
    const pressed =
      new RegExp(`<button([^>]*)>${button.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&')}</button>`).exec(inner)?.[1] ?? '';
    const [, name, value] = / name="([^"]*)" value="([^"]*)"/.exec(pressed) ?? [];
    const sent = new URLSearchParams({ ...whole, ...fields, ...(name === undefined ? {} : { [name]: value }) });
    const target = new URL(/action="([^"]*)"/.exec(attributes)?.[1].replaceAll('&amp;', '&') ?? '', url);
    if (!attributes.includes('method="get"')) return this.#go(target.href, { method: 'POST', body: sent, headers });
    target.search = sent.toString();
    return this.#go(target.href, { headers });
  }

  async #go(url: string, init: RequestInit): Promise<Seen> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(cookie === '' ? {} : { cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const to = response.headers.get('location');
    if (to === null) this.pages++;
    if (to === null) return (this.seen = { url, status: response.status, html: await response.text() });
    const next = new URL(to, url).href;
    if (new URL(next).origin !== new URL(this.origin).origin)
      return (this.seen = { url: next, status: response.status, html: '' });
    return this.#go(next, {});
  }
}
