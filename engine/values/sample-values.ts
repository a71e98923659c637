/** Draws a number from 0 to `n` (exclusive). */
export type Draw = (n: number) => number;

const FIRST = ['Ada', 'Ben', 'Clara', 'David', 'Emma', 'Felix', 'Grace', 'Hugo', 'Iris', 'Jonas'];
const LAST = ['Adams', 'Becker', 'Clark', 'Duarte', 'Evans', 'Fischer', 'Garcia', 'Hansen', 'Ito', 'Jensen'];
const CITIES = ['Amsterdam', 'Berlin', 'Chicago', 'Dublin', 'Edinburgh', 'Florence', 'Geneva', 'Helsinki'];
const COUNTRIES = ['AT', 'BE', 'CA', 'DE', 'ES', 'FR', 'GB', 'IE', 'NL', 'US'];
const CURRENCIES = ['usd', 'eur', 'gbp', 'cad', 'chf'];
const COMPANIES = ['Northwind', 'Acme', 'Globex', 'Initech', 'Umbrella', 'Stark', 'Wayne', 'Hooli'];
const STREETS = ['Main Street', 'High Street', 'Park Avenue', 'Oak Lane', 'Station Road'];
const WORDS = [
  'amber',
  'birch',
  'cedar',
  'delta',
  'ember',
  'fjord',
  'grove',
  'haven',
  'island',
  'juniper',
  'kestrel',
  'lagoon',
];
const DAY_MS = 86_400_000;

/** Generators of texts by a pattern of the member's name (lower case, underscores); the first match applies. */
const BY_NAME: readonly (readonly [RegExp, (draw: Draw, nowMs: number) => string])[] = [
  [/e_?mail/, (draw) => `${pick(draw, FIRST).toLowerCase()}.${pick(draw, LAST).toLowerCase()}@example.com`],
  [/(?:^|_)(?:url|uri|link|website|href)$/, (draw) => `https://example.com/${words(draw, 2, '-')}`],
  [/_at$|timestamp|date_?time/, (draw, nowMs) => instant(draw, nowMs)],
  [/date$|^day$|_on$|birthday/, (draw, nowMs) => instant(draw, nowMs).slice(0, 10)],
  [/(?:^|_)time$/, (draw, nowMs) => instant(draw, nowMs).slice(11, 19)],
  [/phone|mobile|^fax$/, (draw) => `+1555${digits(draw, 7)}`],
  [/first_?name|given_?name/, (draw) => pick(draw, FIRST)],
  [/last_?name|surname|family_?name/, (draw) => pick(draw, LAST)],
  [/company|vendor|merchant|supplier|organi[sz]ation/, (draw) => `${pick(draw, COMPANIES)} Ltd`],
  [/user_?name|login|handle/, (draw) => `${pick(draw, FIRST).toLowerCase()}${digits(draw, 2)}`],
  [/(?:file|document)_?name/, (draw) => `${words(draw, 2, '-')}.pdf`],
  [/name$/, (draw) => `${pick(draw, FIRST)} ${pick(draw, LAST)}`],
  [/^iban$|_iban$/, (draw) => `DE${digits(draw, 20)}`],
  [/last_?4$|last_?four$/, (draw) => digits(draw, 4)],
  [/uuid|guid/, (draw, nowMs) => textOfFormat('uuid', draw, nowMs) ?? ''],
  [/(?:^|_)ip(?:_address|v4)?$/, (draw) => `192.0.2.${draw(254) + 1}`],
  [/time_?zone/, (draw) => pick(draw, ['Europe/Berlin', 'Europe/Paris', 'America/New_York', 'Asia/Tokyo'])],
  [/locale/, (draw) => pick(draw, ['en-US', 'en-GB', 'de-DE', 'fr-FR'])],
  [/language/, (draw) => pick(draw, ['en', 'de', 'fr', 'es'])],
  [/colou?r/, (draw) => pick(draw, ['red', 'green', 'blue', 'black', 'white'])],
  [/^month$|_month$/, (draw, nowMs) => instant(draw, nowMs).slice(0, 7)],
  [/^year$|_year$/, (draw, nowMs) => instant(draw, nowMs).slice(0, 4)],
  [/price|amount|(?:^|_)total$|balance|(?:^|_)cost$|(?:^|_)fee$/, (draw) => ((100 + draw(99_900)) / 100).toFixed(2)],
  [/city|town/, (draw) => pick(draw, CITIES)],
  [/country/, (draw) => pick(draw, COUNTRIES)],
  [/zip|post(?:al)?_?code/, (draw) => digits(draw, 5)],
  [/street|address/, (draw) => `${draw(99) + 1} ${pick(draw, STREETS)}`],
  [/currency/, (draw) => pick(draw, CURRENCIES)],
  [
    /(?:^|_)(?:number|no|code|sku|reference|ref)$/,
    (draw) => `${pick(draw, WORDS).slice(0, 3).toUpperCase()}-${digits(draw, 5)}`,
  ],
  [/(?:^|_)id$/, (draw) => `${pick(draw, WORDS)}_${digits(draw, 8)}`],
  [/description|comment|note|summary|message|text|body/, (draw) => sentence(draw)],
  [/title|subject|label|category|kind|type|status|state/, (draw) => words(draw, 1, ' ')],
];

/** Generates a plausible text for a member's name. */
export function likelyText(name: string, draw: Draw, nowMs: number): string {
  const plain = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  const found = BY_NAME.find(([pattern]) => pattern.test(plain));
  return found ? found[1](draw, nowMs) : words(draw, 2, ' ');
}

/** Generates a text in a format of JSON Schema; undefined for unknown formats. Dates are up to 30 days before now. */
export function textOfFormat(format: string, draw: Draw, nowMs: number): string | undefined {
  switch (format) {
    case 'email':
    case 'idn-email':
      return likelyText('email', draw, nowMs);
    case 'uri':
    case 'url':
    case 'iri':
      return likelyText('url', draw, nowMs);
    case 'uri-reference':
    case 'iri-reference':
      return `/${words(draw, 2, '/')}`;
    case 'uri-template':
      return `https://example.com/${words(draw, 1, '-')}/{id}`;
    case 'date-time':
      return instant(draw, nowMs);
    case 'date':
      return instant(draw, nowMs).slice(0, 10);
    case 'time':
      return instant(draw, nowMs).slice(11);
    case 'duration':
      return `P${draw(29) + 1}D`;
    case 'uuid':
      return `${hex(draw, 8)}-${hex(draw, 4)}-4${hex(draw, 3)}-${'89ab'[draw(4)]}${hex(draw, 3)}-${hex(draw, 12)}`;
    case 'hostname':
    case 'idn-hostname':
      return `${words(draw, 1, '-')}.example.com`;
    case 'ipv4':
      return `192.0.2.${draw(254) + 1}`;
    case 'ipv6':
      return `2001:db8::${hex(draw, 4)}`;
    case 'json-pointer':
      return `/${words(draw, 2, '/')}`;
    case 'relative-json-pointer':
      return `1/${words(draw, 1, '/')}`;
    case 'regex':
      return '^[a-z]+$';
    case 'byte':
    case 'base64':
      return Buffer.from(words(draw, 3, ' ')).toString('base64');
    default:
      return undefined;
  }
}

/** Generates a plausible number for a member's name, with up to two decimals. Times are Unix seconds before now. */
export function likelyNumber(name: string, whole: boolean, draw: Draw, nowMs: number): number {
  const plain = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  if (/_at$|timestamp|date$|^(?:created|updated|modified)$/.test(plain))
    return Math.floor(Date.parse(instant(draw, nowMs)) / 1000);
  if (/year/.test(plain)) return new Date(nowMs).getUTCFullYear() - draw(5);
  if (/month/.test(plain)) return 1 + draw(12);
  if (/(?:^|_)day$/.test(plain)) return 1 + draw(28);
  if (/age$|quantity|qty|count|size/.test(plain)) return 1 + draw(60);
  if (/lat(?:itude)?$/.test(plain)) return (draw(18_000) - 9000) / 100;
  if (/(?:^|_)(?:lng|lon|longitude)$/.test(plain)) return (draw(36_000) - 18_000) / 100;
  if (/percent|rate|score|ratio|confidence/.test(plain)) return whole ? draw(101) : draw(101) / 100;
  return whole ? 1 + draw(1000) : (100 + draw(99_900)) / 100;
}

function pick(draw: Draw, list: readonly string[]): string {
  return list[draw(list.length)];
}

function words(draw: Draw, count: number, between: string): string {
  return Array.from({ length: count }, () => pick(draw, WORDS)).join(between);
}

function sentence(draw: Draw): string {
  const text = words(draw, 6, ' ');
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

function digits(draw: Draw, count: number): string {
  return Array.from({ length: count }, () => String(draw(10))).join('');
}

function hex(draw: Draw, count: number): string {
  return Array.from({ length: count }, () => draw(16).toString(16)).join('');
}

/** Generates a time in the 30 days before now, in whole seconds. */
function instant(draw: Draw, nowMs: number): string {
  const back = draw(30) * DAY_MS + draw(86_400) * 1000;
  return new Date(Math.floor(nowMs / 1000) * 1000 - back).toISOString();
}
