/** Finds the forms of a page: hidden fields by the label of the form's button. */
export function formsIn(html: string): Map<string, Record<string, string>> {
  const forms = [...html.matchAll(/<form[^>]*>(.*?)<button[^>]*>(.*?)<\/button>/gs)];
  return new Map(
    forms.map(([, inner, button]) => [
      button,
      Object.fromEntries(
        [...inner.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
          name,
          plain(value),
        ]),
      ),
    ]),
  );
}

function plain(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** Submits a form without following a redirect. */
export function post(
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual', headers });
}

/** Opens a page, fills in fields, and submits the form of a button. @throws Error if there is no such button */
export async function press(url: string, button: string, fields: Record<string, string> = {}): Promise<Response> {
  const html = await (await fetch(url)).text();
  const form = formsIn(html).get(button);
  if (!form) throw new Error(`there is no button '${button}' in ${html}`);
  return post(url, { ...form, ...fields });
}

/** Fetches a page and returns its HTML. @throws Error if the status isn't 200 */
export async function readPage(url: string | null | undefined): Promise<string> {
  if (!url) throw new Error('there is no URL');
  const response = await fetch(url);
  const html = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${html}`);
  return html;
}
