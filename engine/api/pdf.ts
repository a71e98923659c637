import { withOrigin } from '../expression/index.js';
import type { PageView, PartView } from '../program/index.js';

const WIDTH = 595;
const HEIGHT = 842;
const MARGIN = 56;
const LINE = 16;
/** Characters in a line at 11 points. */
const LINE_CHARACTERS = 86;

/** Renders a page as a PDF of one A4 sheet (Helvetica): headings, texts and rows. Lines below the sheet are omitted. */
export function pagePdf(view: PageView, origin: string): Buffer {
  const shown = (text: string): string => withOrigin(text, origin);
  const lines = [{ text: shown(view.title), size: 18 }, ...view.parts.flatMap((part) => linesOf(part, shown))];
  const drawn: string[] = [];
  let y = HEIGHT - MARGIN;
  for (const { text, size } of lines) {
    if (y < MARGIN) break;
    drawn.push(`BT /F1 ${size} Tf ${MARGIN} ${y} Td (${literal(text)}) Tj ET`);
    y -= size > 11 ? LINE * 1.8 : LINE;
  }
  const content = drawn.join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const start = text.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

function linesOf(part: PartView, shown: (text: string) => string): { text: string; size: number }[] {
  switch (part.kind) {
    case 'heading':
      return [
        { text: '', size: 11 },
        { text: shown(part.text), size: 13 },
      ];
    case 'text':
    case 'alert':
    case 'source':
      return wrapped(shown(part.text));
    case 'rows':
      return part.rows.flatMap(([name, value]) => wrapped(shown(`${name}:  ${value}`)));
    case 'link':
    case 'frame':
    case 'form':
      return [];
  }
}

function wrapped(text: string): { text: string; size: number }[] {
  const lines = text.match(new RegExp(`.{1,${LINE_CHARACTERS}}(?:\\s|$)|.{${LINE_CHARACTERS}}`, 'gu')) ?? [];
  return lines.map((line) => ({ text: line.trimEnd(), size: 11 }));
}

/** A text in a PDF: characters outside of WinAnsi become `?`. */
function literal(text: string): string {
  return text
    .replaceAll('€', '\x80')
    .replace(/[^\x20-\x7e\x80\xa0-\xff]/gu, '?')
    .replace(/[\\()]/g, '\\$&');
}
