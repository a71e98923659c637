import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import { busyWith } from '../runtime/activity.js';
import { withBudget, type Json } from '../values/index.js';
import { withOrigin } from '../expression/index.js';
import {
  bodyReader,
  isWebUrl,
  noticeHtml,
  pageHtml,
  pathOf,
  POSTING_HASH,
  requestError,
  STYLE_HASH,
} from '../http/index.js';
import { LIMITS } from '../limits.js';
import type { FormView, BrowserPage, PageView } from '../program/index.js';
import { CauseRejected, type Engine } from '../runtime/index.js';
import type { Row } from '../world/index.js';
import { decodeForm } from './form.js';
import { pagePdf } from './pdf.js';
import { windowPng } from './png.js';

const MAX_FORM_BYTES = LIMITS.formBody.value;

/**
 * Serves a pack's pages. A browser has no key, so a page is found by the id of its object alone; what its buttons do needs
 * the token that came with the page, and fires a cause of the pack with nothing but what the page offers.
 */
export class PageServer {
  readonly #pages: ReadonlyMap<BrowserPage, ServedPage>;
  readonly #readBody = bodyReader(MAX_FORM_BYTES);

  constructor(private readonly engine: Engine) {
    this.#pages = new Map(engine.pack.pages.map((page) => [page, new ServedPage(engine, page)]));
  }

  /** Serves a request for a page; `path` holds its object's id. */
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

  /** Responds with what kept a request from being handled. */
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
    const row = this.#row(id);
    if (row === undefined) return this.#missing(res);
    const { reader } = this.engine.runtime;
    reader.within(reader.tenantOf(row), () => this.#show(row, req, res));
  }

  #show(row: Row, req: Request, res: Response): void {
    const view = withBudget(() => this.page.view(this.engine.runtime.reader, row));
    if (this.page.format === 'pdf')
      return sendFile(res, 'application/pdf', pagePdf(view, this.engine.runtime.reader.baseUrl));
    if (this.page.format === 'png') return sendFile(res, 'image/png', windowPng());
    this.#send(req, res, 200, view, row, null);
  }

  press(id: string, req: Request, res: Response): void {
    const row = this.#row(id);
    if (row === undefined) return this.#missing(res);
    const { reader } = this.engine.runtime;
    reader.within(reader.tenantOf(row), () => this.#press(row, req, res));
  }

  #press(row: Row, req: Request, res: Response): void {
    const view = withBudget(() => this.page.view(this.engine.runtime.reader, row));
    const again = (status: number, why: string, filled: Readonly<Record<string, string>> = {}): void =>
      this.#send(req, res, status, view, row, why, filled);
    const sent = readForm(req);
    if (typeof sent === 'string') return again(400, sent);
    const { _token, _form, ...filled } = sent;
    if (!same(_token, this.#token(row))) return again(403, 'This page is older than the sandbox. Try again.');
    const form = formsOf(view).find(({ key }) => key === _form);
    if (form === undefined) return again(409, 'This is not possible any more.');
    // The page decides its own parameters, and offers some to fill in; nothing else counts.
    const offered = form.fields.flatMap(({ name, input, unsent }) => {
      const key = Object.hasOwn(filled, input) ? input : name;
      return !unsent && Object.hasOwn(filled, key) && filled[key] !== '' ? [[name, filled[key]] as const] : [];
    });
    const given: Record<string, Json> = { ...Object.fromEntries(offered), ...form.given };
    try {
      this.engine.cause(form.cause, given, true);
    } catch (error) {
      if (!(error instanceof CauseRejected)) throw error;
      return again(error.status, error.message, filled);
    }
    const next = form.stays() ? '' : withOrigin(form.then() ?? '', this.engine.runtime.reader.baseUrl);
    res.writeHead(303, {
      ...headersOf(STRICT),
      Location: isWebUrl(next) ? inAscii(next) : pathOf(req.originalUrl),
      'Content-Length': 0,
    });
    res.end();
  }

  #row(id: string): Row | undefined {
    return this.engine.world.tenants.find(this.page.resource.index, id);
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
    req: Request,
    res: Response,
    status: number,
    view: PageView,
    row: Row,
    rejection: string | null,
    filled: Readonly<Record<string, string>> = {},
  ): void {
    const { title } = this.engine.model.settings;
    const { baseUrl: origin } = this.engine.runtime.reader;
    const html = pageHtml(view, { title, action: pathOf(req.originalUrl), token: this.#token(row), rejection, filled });
    const isFramed = withBudget(() => this.page.mayBeFramed(this.engine.runtime.reader, row));
    const policy = { targets: targetsOf(view, origin), isFramed, isPosting: view.posts !== null };
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

/** An address as a header has it. */
function inAscii(url: string): string {
  return url.replace(/[^\x21-\x7e]+/g, (part) => encodeURIComponent(Buffer.from(part).toString()));
}

/** Browsers hold the redirect after a form to `form-action` too: the origins that the forms lead to. */
function targetsOf(view: PageView, origin: string): string[] {
  const urls = formsOf(view).map((form) => withOrigin(form.then() ?? '', origin));
  return [...new Set(urls.filter(isWebUrl).map((url) => new URL(url).origin))];
}

/** What a browser may do with a page. */
interface Policy {
  /** Origins that its forms lead to. */
  readonly targets: readonly string[];
  readonly isFramed: boolean;
  /** It posts messages to the page that opened it. */
  readonly isPosting: boolean;
}

const STRICT: Policy = { targets: [], isFramed: false, isPosting: false };

function headersOf({ targets, isFramed, isPosting }: Policy): Record<string, string> {
  return {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': `default-src 'none'; style-src ${STYLE_HASH};${isPosting ? ` script-src ${POSTING_HASH};` : ''} form-action ${["'self'", ...targets].join(' ')}; base-uri 'none'; frame-ancestors ${isFramed ? '*' : "'none'"}`,
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

/** The fields of a form, or why they cannot be read. */
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
