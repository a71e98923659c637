import { createRequire } from 'node:module';
import type MarkdownIt from 'markdown-it';
import { lazy } from '../values/index.js';

/** Elements that are removed from a text's HTML. */
const UNSAFE = /<\/?(?:script|style|iframe|object|embed|form|textarea|title|xmp|noembed|noframes|plaintext)\b[^>]*>?/gi;
/** The checkbox of an item in a task list. */
const BOX = /^\[([ xX])\] /;

/** The parser, which takes linear time. Loaded on first use, since most packs have no Markdown. */
const parser = lazy(() => {
  const library = createRequire(import.meta.url)('markdown-it') as typeof MarkdownIt;
  const made = new library({ html: true, linkify: true });
  made.linkify.set({ fuzzyLink: false });
  const { rules } = made.renderer;
  rules['html_block'] = rules['html_inline'] = (tokens, at) =>
    tokens[at].content.replace(UNSAFE, (tag) => tag.replace('<', '&lt;'));
  rules['s_open'] = () => '<del>';
  rules['s_close'] = () => '</del>';
  made.core.ruler.push('tasks', ({ tokens, Token }) => {
    for (const [at, { type, children }] of tokens.entries()) {
      const [text] = type === 'inline' && tokens[at - 2]?.type === 'list_item_open' ? (children ?? []) : [];
      const [found, mark] = BOX.exec(text?.content ?? '') ?? [];
      if (text === undefined || found === undefined) continue;
      text.content = text.content.slice(found.length);
      const box = new Token('html_inline', '', 0);
      box.content = `<input ${mark === ' ' ? '' : 'checked="" '}disabled="" type="checkbox"> `;
      children?.unshift(box);
    }
  });
  return made;
});

/** Markdown, with tables, task lists and bare links, as HTML. Links with scripts are removed. */
export function markdownHtml(text: string): string {
  return parser().render(text);
}
