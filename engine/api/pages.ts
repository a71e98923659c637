import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import { busyWith } from '../runtime/activity.js';
import { isObject, withBudget, toText, type Json } from '../values/index.js';
import { textWithoutOrigin, withOrigin } from '../expression/index.js';
import {
  bodyReader,
  isWebUrl,
  noticeHtml,
  pageHtml,
  pathOf,
  queryOf,
  POSTING_HASH,
  requestError,
  STYLE_HASH,
} from '../http/index.js';
import { LIMITS } from '../limits.js';
import { NO_REQUEST } from '../model/index.js';
import type { FormView, BrowserPage, PageView, PageVisit } from '../program/index.js';
import { CauseRejected, type Engine } from '../runtime/index.js';
import type { Row } from '../world/index.js';
import { readCookies } from './cookies.js';
import { decodeForm } from './form.js';
import { pagePdf } from './pdf.js';
import { windowPng } from './png.js';

const MAX_FORM_BYTES = LIMITS.formBody.value;

/**
 * Serves a pack's pages. A browser has no key, so a page is found by its object's id; its forms need the token of the page, and
 * fire a cause of the pack only with values that the page offers.
 */
export class PageServer {
  readonly #pages: ReadonlyMap<BrowserPage, ServedPage>;
  readonly #readBody = bodyReader(MAX_FORM_BYTES);

  constructor(private readonly engine: Engine) {
    this.#pages = new Map(engine.pack.pages.map((page) => [page, new ServedPage(engine, page)]));
  }

  /** Serves a request for a page; `path` contains the object's id. */
  handle(page: BrowserPage, path: Readonly<Record<string, string>>, req: Request, res: Response): void {
    const served = this.#pages.get(page);
    if (!served) throw new Error(`page '${page.name}' is not served here`);
    const id = path['id'] ?? '';
    busyWith(req.method, req.originalUrl);
    const { address } = this.engine.runtime.surroundings;
    if (!address.admits(req.headers.host)) return this.#rejectHost(res);
    const guarded = (respond: () => void): void => {
      try {
        respond();
      } catch (error) {
        this.fail(error, req, res);
      }
    };
    if (req.method !== 'POST') return guarded(() => served.show(id, req, res));
    void this.#readBody(req, res, (error?: unknown) => {
      if (error) this.fail(error, req, res);
      else guarded(() => served.press(id, req, res));
    });
  }

  #rejectHost(res: Response): void {
    const { title } = this.engine.model.settings;
    const text = 'This is not a name of the sandbox. Name it at the start: sandbox serve --allow-host NAME';
    sendHtml(res, 403, noticeHtml('Not here', text, title));
  }

  /** Sends an error page. */
  fail(thrown: unknown, req: Request, res: Response): void {
    const { title } = this.engine.model.settings;
    const error = requestError(thrown);
    if (error.kind === 'defect') {
      this.engine.options.onDefect(thrown, `page ${req.method} ${pathOf(req.url)}`);
      sendHtml(res, 500, noticeHtml('Something is wrong', 'The sandbox failed; its log has the reason.', title));
      return;
    }
    const status = error.kind === 'body_too_large' ? 413 : error.kind === 'unreadable' ? error.status : 400;
    sendHtml(res, status, noticeHtml('Not readable', 'The request cannot be read.', title));
  }
}

class ServedPage {
  #secret: Buffer | undefined;

  constructor(
    private readonly engine: Engine,
    private readonly page: BrowserPage,
  ) {}

  show(id: string, req: Request, res: Response): void {
    this.#serve(id, req, res, (row, visit) => this.#show(row, visit, req, res));
  }

  #serve(id: string, req: Request, res: Response, serve: (row: Row, visit: PageVisit) => void): void {
    const { reader } = this.engine.runtime;
    const visit = this.#visit(req);
    const row = this.#row(id, visit);
    if (row !== undefined) return reader.within(reader.tenantOf(row), () => serve(row, visit));
    const otherwise = this.#onTheWeb(this.page.otherwise(reader, visit));
    if (otherwise === null) this.#missing(res);
    else this.#lead(res, otherwise);
  }

  #visit(req: Request): PageVisit {
    const { method } = req;
    const given = new URLSearchParams(queryOf(req.originalUrl));
    const { baseUrl } = this.engine.runtime.reader;
    const valueOf = (name: string): Json => {
      const value = given.get(name);
      return value === null ? null : textWithoutOrigin(value, baseUrl);
    };
    return {
      request: { ...NO_REQUEST, method, path: pathOf(req.originalUrl), cookies: readCookies(this.engine, req) },
      query: Object.fromEntries(this.page.query.map((name) => [name, valueOf(name)])),
    };
  }

  /** The page's own address for its forms, with the parameters that it reads. */
  #addressOf(req: Request, { query }: PageVisit): string {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === null ? [] : [[name, toText(value)] as [string, string]],
    );
    const text = withOrigin(new URLSearchParams(given).toString(), this.engine.runtime.reader.baseUrl);
    return given.length === 0 ? pathOf(req.originalUrl) : `${pathOf(req.originalUrl)}?${text}`;
  }

  /** Returns a web URL with the real address of the world, percent-encoded; null for any other text. */
  #onTheWeb(url: string | null): string | null {
    const shown = withOrigin(url ?? '', this.engine.runtime.reader.baseUrl);
    return isWebUrl(shown) ? inAscii(shown) : null;
  }

  #lead(res: Response, to: string): void {
    res.writeHead(303, { ...headersOf(STRICT), Location: to, 'Content-Length': 0 });
    res.end();
  }

  #show(row: Row, visit: PageVisit, req: Request, res: Response): void {
    const { reader } = this.engine.runtime;
    const away = this.#onTheWeb(this.page.redirect(reader, row, visit));
    if (away !== null) return this.#lead(res, away);
    const view = withBudget(() => this.page.view(reader, row, visit));
    if (this.page.format === 'pdf')
      return sendFile(res, 'application/pdf', pagePdf(view, this.engine.runtime.reader.baseUrl));
    if (this.page.format === 'png') return sendFile(res, 'image/png', windowPng());
    this.#send({ req, res, view, row, visit }, 200, null);
  }

  press(id: string, req: Request, res: Response): void {
    this.#serve(id, req, res, (row, visit) => this.#press(row, visit, req, res));
  }

  #press(row: Row, visit: PageVisit, req: Request, res: Response): void {
    const view = withBudget(() => this.page.view(this.engine.runtime.reader, row, visit));
    const again = (status: number, why: string, filled: Readonly<Record<string, string>> = {}): void =>
      this.#send({ req, res, view, row, visit }, status, why, filled);
    const sent = readForm(req);
    if (typeof sent === 'string') return again(400, sent);
    const { _token, _form, ...filled } = sent;
    if (!same(_token, this.#token(row))) return again(403, 'This page is older than the sandbox. Try again.');
    const form = formsOf(view).find(({ key }) => key === _form);
    if (form?.does.kind !== 'cause') return again(409, 'This is not possible any more.');
    // Takes only the fields that the form offers, without empty ones; the parameters that the page sets override them.
    const offered = form.fields.flatMap(({ name, input, unsent }) => {
      const key = Object.hasOwn(filled, input) ? input : name;
      return !unsent && Object.hasOwn(filled, key) && filled[key] !== '' ? [[name, filled[key]] as const] : [];
    });
    const pressed = form.buttons.flatMap(({ sends }) => (sends && filled[sends[0]] === sends[1] ? [sends] : []));
    const given: Record<string, Json> = {
      ...Object.fromEntries(offered),
      ...form.given,
      ...Object.fromEntries(pressed),
    };
    try {
      this.engine.cause(form.does.cause, given, true);
    } catch (error) {
      if (!(error instanceof CauseRejected)) throw error;
      return again(error.status, error.message, filled);
    }
    const next = form.stays() ? null : this.#onTheWeb(form.then());
    this.#lead(res, next ?? this.#addressOf(req, visit));
  }

  /** Finds the page's object by the id in its path, or by the page's `object` expression. */
  #row(id: string, visit: PageVisit): Row | undefined {
    const { object, resource } = this.page;
    const found = object === null ? id : object(this.engine.runtime.reader, visit);
    const named = isObject(found) ? found['id'] : found;
    return typeof named === 'string' ? this.engine.world.tenants.find(resource.index, named) : undefined;
  }

  #missing(res: Response): void {
    sendHtml(
      res,
      404,
      noticeHtml(
        'Not found',
        'There is nothing here. The world may have been emptied since.',
        this.engine.model.settings.title,
      ),
    );
  }

  #send(
    { req, res, view, row, visit }: Shown,
    status: number,
    rejection: string | null,
    filled: Readonly<Record<string, string>> = {},
  ): void {
    const { title } = this.engine.model.settings;
    const { reader } = this.engine.runtime;
    const { baseUrl: origin } = reader;
    const action = this.#addressOf(req, visit);
    const html = pageHtml(view, { title, action, token: this.#token(row), rejection, filled });
    const isFramed = withBudget(() => this.page.mayBeFramed(reader, row, visit));
    const hasFrames = view.parts.some(({ kind }) => kind === 'frame');
    const policy = { targets: targetsOf(view, origin), isFramed, isPosting: view.posts !== null, hasFrames };
    sendHtml(res, status, withOrigin(html, origin), policy);
  }

  #token(row: Row): string {
    this.#secret ??= randomBytes(32);
    return createHmac('sha256', this.#secret).update(`${this.page.name}\n${row.id}`).digest('base64url');
  }
}

function formsOf(view: PageView): FormView[] {
  return view.parts.flatMap((part) => (part.kind === 'form' ? [part.form] : []));
}

/** A URL for a header, percent-encoded. */
function inAscii(url: string): string {
  return url.replace(/[^\x21-\x7e]+/g, (part) => encodeURIComponent(Buffer.from(part).toString()));
}

/** A page's content and policy, as a response sends them. */
interface Shown {
  readonly req: Request;
  readonly res: Response;
  readonly view: PageView;
  readonly row: Row;
  readonly visit: PageVisit;
}

/** Returns the origins that a page's forms may lead to. Browsers apply `form-action` to redirects after a form too. */
function targetsOf(view: PageView, origin: string): string[] {
  if (formsOf(view).some(({ does, onward }) => onward || does.kind === 'call')) return ['http:', 'https:'];
  const urls = formsOf(view).map((form) => withOrigin(form.then() ?? '', origin));
  return [...new Set(urls.filter(isWebUrl).map((url) => new URL(url).origin))];
}

/** The content security policy of a page. */
interface Policy {
  /** Origins that forms of the page lead to. */
  readonly targets: readonly string[];
  readonly isFramed: boolean;
  /** Whether the page posts messages to the page that opened it. */
  readonly isPosting: boolean;
  /** Whether the page shows HTML of others, with styles and images. */
  readonly hasFrames: boolean;
}

const STRICT: Policy = { targets: [], isFramed: false, isPosting: false, hasFrames: false };

function headersOf({ targets, isFramed, isPosting, hasFrames }: Policy): Record<string, string> {
  // Frames inherit the policy of this page, so it must allow what their HTML needs.
  const looks = hasFrames ? "style-src 'unsafe-inline'; img-src data: http: https:" : `style-src ${STYLE_HASH}`;
  return {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': `default-src 'none'; ${looks};${isPosting ? ` script-src ${POSTING_HASH};` : ''} form-action ${["'self'", ...targets].join(' ')}; base-uri 'none'; frame-ancestors ${isFramed ? '*' : "'none'"}`,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    ...(isFramed ? {} : { 'X-Frame-Options': 'DENY' }),
  };
}

function sendHtml(res: Response, status: number, html: string, policy = STRICT): void {
  res.writeHead(status, {
    ...headersOf(policy),
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
  });
  res.end(html);
}

function sendFile(res: Response, type: string, bytes: Buffer): void {
  res.writeHead(200, { ...headersOf(STRICT), 'Content-Type': type, 'Content-Length': bytes.length });
  res.end(bytes);
}

/** Parses the fields of a form; returns an error message if they are malformed. */
function readForm(req: Request): Record<string, string> | string {
  const body: unknown = req.body;
  const type = (req.headers['content-type'] ?? '').split(';')[0].trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded' || !Buffer.isBuffer(body))
    return 'This page takes its own forms only.';
  const decoded = decodeForm(body);
  if (!decoded.ok) return `The form cannot be read: ${decoded.reason}.`;
  return Object.fromEntries(
    Object.entries(decoded.value).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

function same(given: string | undefined, wanted: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
