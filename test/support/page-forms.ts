/** The forms of a page: the hidden fields of each by what its button says. */
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

/** Sends a form, without following where it leads. */
export function post(
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual', headers });
}

/** Opens a page and presses one of its buttons, with what was filled in. */
export async function press(url: string, button: string, fields: Record<string, string> = {}): Promise<Response> {
  const html = await (await fetch(url)).text();
  const form = formsIn(html).get(button);
  if (!form) throw new Error(`there is no button '${button}' in ${html}`);
  return post(url, { ...form, ...fields });
}
