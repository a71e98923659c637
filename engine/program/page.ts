import type { Json, JsonObject } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { RequestInfo, SourceLocation, ResourceDef } from '../model/index.js';
import type { Row } from '../world/index.js';

/** How a page is opened. */
export interface PageVisit {
  readonly request: RequestInfo;
  /** Declared parameters of the query; null: not given. */
  readonly query: JsonObject;
}

/** A page of the pack, compiled when first opened. */
export interface BrowserPage {
  readonly name: string;
  readonly place: SourceLocation;
  readonly resource: ResourceDef;
  /** Path with `{id}`, or without if `object` finds what it shows. */
  readonly path: string;
  readonly format: 'html' | 'pdf' | 'png';
  /** Its forms come back to its own address; else they all call operations. */
  readonly takesForms: boolean;
  /** Parameters of the query that its expressions read. */
  readonly query: readonly string[];
  /** Pages of other origins may show it in a frame, at least of some objects. */
  readonly framed: boolean;
  /** Finds what it shows, an object of the resource or null; null: its path names it. */
  readonly object: ((host: Host, visit: PageVisit) => Json) | null;
  /** Where it leads if there is no such object; null: nowhere. */
  otherwise(host: Host, visit: PageVisit): string | null;
  /** Where it leads instead of showing an object; null: it is shown. */
  redirect(host: Host, row: Row, visit: PageVisit): string | null;
  /** Whether they may show that of an object now. */
  mayBeFramed(host: Host, row: Row, visit: PageVisit): boolean;
  /** What it shows of an object now. */
  view(host: Host, row: Row, visit: PageVisit): PageView;
  /** Compiles it now, so that its problems are found. */
  check(): void;
}

/** A page as it is: plain text everywhere, nothing escaped yet. */
export interface PageView {
  readonly title: string;
  readonly parts: readonly PartView[];
  /** What it posts to a page that shows it in a frame; null: nothing. */
  readonly posts: Json;
}

export type PartView =
  | { readonly kind: 'heading' | 'text' | 'alert' | 'source'; readonly text: string }
  | { readonly kind: 'frame'; readonly title: string; readonly html: string }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly [string, string])[] }
  | { readonly kind: 'link'; readonly text: string; readonly to: string }
  | { readonly kind: 'form'; readonly form: FormView };

export interface FormView {
  /** Distinguishes the forms of a page; changes with what the page decides for it. */
  readonly key: string;
  readonly buttons: readonly ButtonView[];
  readonly fields: readonly FieldView[];
  /** The external event that it triggers, or the call of an operation that the browser makes. */
  readonly does:
    | { readonly kind: 'cause'; readonly cause: string }
    | { readonly kind: 'call'; readonly method: string; readonly path: string };
  /** Parameters that the page decides. */
  readonly given: JsonObject;
  /** Where it leads; null: to the page again. Before its cause happened it has the origin at least. */
  readonly then: () => string | null;
  /** Whether the page is shown again all the same; asked after the cause. */
  readonly stays: () => boolean;
  /** Where it leads may redirect to other origins. */
  readonly onward: boolean;
}

export interface ButtonView {
  readonly text: string;
  readonly style: 'main' | 'plain';
  readonly testId: string | null;
  /** The parameter that it sends, and its value. */
  readonly sends: readonly [name: string, value: string] | null;
  /** Required fields may be left blank with it. */
  readonly unfilled: boolean;
}

/** What fields of pages are in HTML. */
export type FieldType = FieldView['type'];

export interface FieldView {
  readonly name: string;
  readonly label: string;
  readonly type:
    'text' | 'email' | 'password' | 'number' | 'tel' | 'url' | 'date' | 'hidden' | 'checkbox' | 'radio' | 'select';
  readonly options: readonly (readonly [string, string])[];
  readonly value: string;
  readonly hint: string;
  readonly required: boolean;
  readonly autocomplete: string | null;
  /** Its name and id in HTML. */
  readonly input: string;
  readonly testId: string | null;
  /** It is no parameter of the cause. */
  readonly unsent: boolean;
}
