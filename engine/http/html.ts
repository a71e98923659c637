import { createHash } from 'node:crypto';
import { escapedHtml } from '../codecs/index.js';
import type { ButtonView, FieldView, FormView, PageView, PartView } from '../program/index.js';
import { toText } from '../values/index.js';

/** Values around a page's content, for its HTML. */
interface PageFrame {
  /** Name of the pack, shown at the top. */
  readonly title: string;
  /** The URL to which the page's forms are submitted. */
  readonly action: string;
  readonly token: string;
  /** Why the last submitted form was rejected; null: it wasn't. */
  readonly rejection: string | null;
  /** Values of the last submitted form, which fill in its fields again. */
  readonly filled: Readonly<Record<string, string>>;
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{margin:0;background:Canvas;color:CanvasText}
header{padding:.6rem 1rem;border-bottom:1px solid GrayText;font-size:.85rem}main{max-width:34rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}dl{display:grid;grid-template-columns:auto 1fr;gap:.3rem 1.5rem}dt{opacity:.75}dd{margin:0;text-align:right;overflow-wrap:anywhere}
form{margin:1rem 0}label{display:block;margin:.8rem 0 .2rem}input,select{font:inherit;width:100%;padding:.45rem;box-sizing:border-box}input[type=checkbox],input[type=radio]{width:auto}fieldset{border:1px solid GrayText;border-radius:.3rem;margin:.8rem 0}
button{font:inherit;padding:.55rem 1.2rem;margin-top:.8rem;cursor:pointer}button.main{width:100%;background:#2347c5;color:#fff;border:0;border-radius:.3rem}
button.plain{background:none;border:1px solid GrayText;border-radius:.3rem;color:inherit}iframe{width:100%;height:24rem;border:1px solid GrayText;background:#fff}pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.85rem}small{opacity:.75}.alert{border-left:.3rem solid #c0392b;padding:.5rem 1rem}`;

/** The hash of the style for the Content-Security-Policy. */
export const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** A script that posts the page's message to the surrounding page. */
const POSTING = `parent!==window&&parent.postMessage({posts:JSON.parse(document.querySelector('meta[name=posts]').content)},'*')`;

/** The hash of the posting script for the Content-Security-Policy. */
export const POSTING_HASH = `'sha256-${createHash('sha256').update(POSTING).digest('base64')}'`;

/** A page as HTML. It needs no script, except to post a message to the surrounding page. */
export function pageHtml(view: PageView, frame: PageFrame): string {
  const rejection = frame.rejection === null ? '' : `<p class="alert" role="alert">${escapedHtml(frame.rejection)}</p>`;
  const parts = view.parts.map((part) => partHtml(part, frame)).join('\n');
  const posting =
    view.posts === null
      ? ''
      : `\n<meta name="posts" content="${escapedHtml(JSON.stringify(view.posts))}"><script>${POSTING}</script>`;
  return document(view.title, frame.title, `${rejection}${parts}${posting}`);
}

/** A page with only a message. */
export function noticeHtml(title: string, text: string, pack: string): string {
  return document(title, pack, `<p>${escapedHtml(text)}</p>`);
}

function document(title: string, pack: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapedHtml(title)}</title><style>${STYLE}</style></head>
<body><header>${escapedHtml(pack)} · sandbox: nothing here is real</header>
<main><h1>${escapedHtml(title)}</h1>
${body}
</main></body>
</html>
`;
}

/** Attributes of frames: HTML of others runs no scripts and sends no forms; its links open in a new window. */
const FRAME = 'sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer"';

function partHtml(part: PartView, frame: PageFrame): string {
  switch (part.kind) {
    case 'heading':
      return `<h2>${escapedHtml(part.text)}</h2>`;
    case 'text':
      return `<p>${escapedHtml(part.text)}</p>`;
    case 'alert':
      return `<p class="alert" role="alert">${escapedHtml(part.text)}</p>`;
    case 'rows':
      return `<dl>${part.rows.map(([name, value]) => `<dt>${escapedHtml(name)}</dt><dd>${escapedHtml(value)}</dd>`).join('')}</dl>`;
    case 'link':
      return isWebUrl(part.to)
        ? `<p><a href="${escapedHtml(part.to)}" rel="noreferrer">${escapedHtml(part.text)}</a></p>`
        : `<p>${escapedHtml(part.text)}</p>`;
    case 'source':
      return `<pre tabindex="0">${escapedHtml(part.text)}</pre>`;
    case 'frame':
      return `<iframe title="${escapedHtml(part.title)}" ${FRAME} srcdoc="${escapedHtml(`<base target="_blank">${part.html}`)}"></iframe>`;
    case 'form':
      return formHtml(part.form, frame);
  }
}

function formHtml(form: FormView, { action, token, filled }: PageFrame): string {
  const fields = form.fields.map((field) => fieldHtml(field, filled)).join('');
  const buttons = form.buttons.map(buttonHtml).join('');
  const { does, given } = form;
  if (does.kind === 'cause') {
    const hidden = hiddenHtml([
      ['_token', token],
      ['_form', form.key],
    ]);
    return `<form method="post" action="${escapedHtml(action)}">${hidden}${fields}${buttons}</form>`;
  }
  const hidden = hiddenHtml(Object.entries(given).map(([name, value]) => [name, toText(value)]));
  const method = does.method === 'GET' ? 'get' : 'post';
  return `<form method="${method}" action="${escapedHtml(does.path)}">${hidden}${fields}${buttons}</form>`;
}

function hiddenHtml(values: readonly (readonly [string, string])[]): string {
  return values
    .map(([name, value]) => `<input type="hidden" name="${escapedHtml(name)}" value="${escapedHtml(value)}">`)
    .join('');
}

function buttonHtml({ text, style, testId, sends, unfilled }: ButtonView): string {
  const test = testId === null ? '' : ` data-testid="${escapedHtml(testId)}"`;
  const sent = sends === null ? '' : ` name="${escapedHtml(sends[0])}" value="${escapedHtml(sends[1])}"`;
  return `<button class="${style}"${test}${sent}${unfilled ? ' formnovalidate' : ''}>${escapedHtml(text)}</button>`;
}

function fieldHtml(field: FieldView, filled: PageFrame['filled']): string {
  const { input: name, type, required, testId } = field;
  const value = type !== 'password' && Object.hasOwn(filled, name) ? filled[name] : field.value;
  if (type === 'hidden') return hiddenHtml([[name, value]]);
  const held = (html: string): string =>
    testId === null ? html : `<div data-testid="${escapedHtml(testId)}">${html}</div>`;
  const [id, text] = [escapedHtml(name), escapedHtml(field.label)];
  const label = `<label for="${id}">${text}</label>`;
  const hint = field.hint === '' ? '' : `<small id="${id}-hint">${escapedHtml(field.hint)}</small>`;
  const described = hint === '' ? '' : ` aria-describedby="${id}-hint"`;
  const autocomplete = field.autocomplete === null ? '' : ` autocomplete="${escapedHtml(field.autocomplete)}"`;
  const attributes = `id="${id}" name="${id}"${required ? ' required' : ''}${described}${autocomplete}`;
  if (type === 'select') {
    const options = field.options.map(
      ([key, text]) =>
        `<option value="${escapedHtml(key)}"${key === value ? ' selected' : ''}>${escapedHtml(text)}</option>`,
    );
    return held(`${label}<select ${attributes}>${options.join('')}</select>${hint}`);
  }
  if (type === 'radio') {
    const choices = field.options.map(([key, choice], at) => {
      const own = `type="radio" id="${id}-${at}" name="${id}" value="${escapedHtml(key)}"`;
      return `<label class="choice"><input ${own}${required ? ' required' : ''}${key === value ? ' checked' : ''}> ${escapedHtml(choice)}</label>`;
    });
    return held(`<fieldset${described}><legend>${text}</legend>${choices.join('')}${hint}</fieldset>`);
  }
  if (type === 'checkbox')
    return held(
      `${label}<input type="checkbox" ${attributes} value="true"${value === 'true' ? ' checked' : ''}>${hint}`,
    );
  return held(
    `${label}<input type="${type}" ${attributes} value="${escapedHtml(value)}"${type === 'number' ? ' step="any"' : ''}>${hint}`,
  );
}

/** Whether a link or redirect is a safe web URL. */
export function isWebUrl(url: string): boolean {
  // Excludes characters that headers can't contain, and `*`, which in a Content-Security-Policy means any host.
  return /^https?:\/\/[^\0-\x20\x7f]+$/i.test(url) && URL.canParse(url) && !new URL(url).hostname.includes('*');
}
