import { Marked } from 'marked';

/** Elements that a page must not take from a text. */
const UNSAFE = /<\/?(?:script|style|iframe|object|embed|form|textarea|title|xmp|noembed|noframes|plaintext)\b[^>]*>?/gi;

const marked = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => text.replace(UNSAFE, (tag) => tag.replace('<', '&lt;')),
  },
});

/** Markdown, with tables, task lists and bare links, as HTML. */
export function markdownHtml(text: string): string {
  return marked.parse(text, { async: false });
}
