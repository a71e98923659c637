import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import bodyParser from 'body-parser';
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { type Json, withOrigin } from '../expression/index.js';
import { CauseRefused, type Engine, type FormView, type Page, type PageView } from '../runtime/index.js';
import type { Row } from '../world/index.js';
import { decodeForm } from './decode.js';
import { isWebUrl, noticeHtml, pageHtml, STYLE_HASH } from '../http/html.js';
import { pagePdf } from './pdf.js';

const MAX_FORM_BYTES = 64 * 1024;

/**
 * Serves a pack's pages. A browser has no key, so a page is found by the id of its object alone; what its buttons do needs
 * the token that came with the page, and fires a cause of the pack with nothing but what the page offers.
 */
export function pageRoutes(engine: Engine): RequestHandler {
  const router = Router({ caseSensitive: true });
  const readBody = bodyParser.raw({ type: () => true, limit: MAX_FORM_BYTES });
  for (const page of engine.pack.pages) {
    const served = new ServedPage(engine, page);
    const path = page.path.replace('{id}', ':id');
    router.get(path, (req, res) => served.show(req, res));
    if (page.format === 'html') router.post(path, readBody, (req, res) => served.press(req, res));
  }
  router.use(failures(engine));
  return router;
}

class ServedPage {
  readonly #secret = randomBytes(32);

  constructor(
    private readonly engine: Engine,
    private readonly page: Page,
  ) {}

  show(req: Request, res: Response): void {
    const row = this.#row(req);
    if (row === undefined) return this.#missing(res);
    const view = this.page.view(this.engine.runtime, row);
    if (this.page.format === 'pdf') {
      const pdf = pagePdf(view);
      res.writeHead(200, { ...headers([]), 'Content-Type': 'application/pdf', 'Content-Length': pdf.length });
      res.end(pdf);
      return;
    }
    this.#send(req, res, 200, view, row, null);
  }

  press(req: Request, res: Response): void {
    const row = this.#row(req);
    if (row === undefined) return this.#missing(res);
    const view = this.page.view(this.engine.runtime, row);
    const again = (status: number, why: string, filled: Readonly<Record<string, string>> = {}): void =>
      this.#send(req, res, status, view, row, why, filled);
    const sent = readForm(req);
    if (typeof sent === 'string') return again(400, sent);
    const { _token, _form, ...filled } = sent;
    if (!same(_token, this.#token(row))) return again(403, 'This page is older than the sandbox. Try again.');
    const form = formsOf(view).find(({ key }) => key === _form);
    if (form === undefined) return again(409, 'This is not possible any more.');
    // The page decides its own parameters, and offers some to fill in; nothing else counts.
    const offered = form.fields.flatMap(({ name }) =>
      Object.hasOwn(filled, name) && filled[name] !== '' ? [[name, filled[name]] as const] : [],
    );
    const given: Record<string, Json> = { ...Object.fromEntries(offered), ...form.given };
    try {
      this.engine.cause(form.cause, given, true);
    } catch (error) {
      if (!(error instanceof CauseRefused)) throw error;
      return again(error.status, error.message, filled);
    }
    const next = form.stays() ? '' : withOrigin(form.then() ?? '', this.engine.runtime.origin);
    res.writeHead(303, { ...headers([]), Location: isWebUrl(next) ? next : pathOf(req), 'Content-Length': 0 });
    res.end();
  }

  #row(req: Request): Row | undefined {
    const { id } = req.params;
    return typeof id === 'string' ? this.engine.world.row(this.page.resource.index, id) : undefined;
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
      [],
    );
  }

  #send(
    req: Request,
    res: Response,
    status: number,
    view: PageView,
    row: Row,
    refusal: string | null,
    filled: Readonly<Record<string, string>> = {},
  ): void {
    const { title } = this.engine.model.settings;
    const { origin } = this.engine.runtime;
    const html = pageHtml(view, { title, action: pathOf(req), token: this.#token(row), refusal, filled });
    sendHtml(res, status, withOrigin(html, origin), targetsOf(view, origin));
  }

  #token(row: Row): string {
    return createHmac('sha256', this.#secret).update(`${this.page.name}\n${row.id}`).digest('base64url');
  }
}

function formsOf(view: PageView): FormView[] {
  return view.parts.flatMap((part) => (part.kind === 'form' ? [part.form] : []));
}

/** Browsers hold the redirect after a form to `form-action` too: the origins that the forms lead to. */
function targetsOf(view: PageView, origin: string): string[] {
  const urls = formsOf(view).map((form) => withOrigin(form.then() ?? '', origin));
  return [...new Set(urls.filter(isWebUrl).map((url) => new URL(url).origin))];
}

function headers(targets: readonly string[]): Record<string, string> {
  return {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': `default-src 'none'; style-src ${STYLE_HASH}; form-action ${["'self'", ...targets].join(' ')}; base-uri 'none'; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  };
}

function sendHtml(res: Response, status: number, html: string, targets: readonly string[]): void {
  res.writeHead(status, {
    ...headers(targets),
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
  });
  res.end(html);
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

function pathOf(req: Request): string {
  const at = req.originalUrl.indexOf('?');
  return at < 0 ? req.originalUrl : req.originalUrl.slice(0, at);
}

function failures(engine: Engine): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    const { title } = engine.model.settings;
    const { status } = (typeof error === 'object' && error !== null ? error : {}) as { status?: unknown };
    if (error instanceof URIError || (typeof status === 'number' && status < 500)) {
      sendHtml(
        res,
        typeof status === 'number' ? status : 400,
        noticeHtml('Not readable', 'The request cannot be read.', title),
        [],
      );
      return;
    }
    engine.options.onDefect(error, `page ${req.method} ${req.path}`);
    sendHtml(res, 500, noticeHtml('Something is wrong', 'The sandbox failed; its log tells why.', title), []);
  };
}
