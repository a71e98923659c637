import type { Json, JsonObject } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { RequestInfo, SourceLocation, ResourceDef } from '../model/index.js';
import type { Row } from '../world/index.js';

/** A request for a page. */
export interface PageVisit {
  readonly request: RequestInfo;
  /** Declared parameters of the query; null: missing. */
  readonly query: JsonObject;
}

/** A page of the pack, compiled when first opened. */
export interface BrowserPage {
  readonly name: string;
  readonly place: SourceLocation;
  readonly resource: ResourceDef;
  /** Path with `{id}`, or without if `object` finds the object. */
  readonly path: string;
  readonly format: 'html' | 'pdf' | 'png';
  /** Whether forms of the page are sent to the page itself; otherwise they all call operations. */
  readonly takesForms: boolean;
  /** Parameters of the query that its expressions read. */
  readonly query: readonly string[];
  /** Whether pages of other origins may show the page in a frame, at least for some objects. */
  readonly framed: boolean;
  /** Finds the object that it shows, or null; null: its path names it. */
  readonly object: ((host: Host, visit: PageVisit) => Json) | null;
  /** Redirect if there is no such object; null: none. */
  otherwise(host: Host, visit: PageVisit): string | null;
  /** Redirect in place of showing an object; null: none. */
  redirect(host: Host, row: Row, visit: PageVisit): string | null;
  /** Whether the page may currently be framed for an object. */
  mayBeFramed(host: Host, row: Row, visit: PageVisit): boolean;
  /** The content that the page currently shows for an object. */
  view(host: Host, row: Row, visit: PageVisit): PageView;
  /** Compiles the page now instead of on first use, so that problems are reported. */
  check(): void;
}

/** A page's content: plain text, not yet escaped. */
export interface PageView {
  readonly title: string;
  readonly parts: readonly PartView[];
  /** Message that it posts to a framing page; null: none. */
  readonly posts: Json;
}

export type PartView =
  | { readonly kind: 'heading' | 'text' | 'alert' | 'source'; readonly text: string }
  | { readonly kind: 'frame'; readonly title: string; readonly html: string }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly [string, string])[] }
  | { readonly kind: 'link'; readonly text: string; readonly to: string }
  | { readonly kind: 'form'; readonly form: FormView };

export interface FormView {
  /** Identifies the form within its page; depends on the parameters that the page sets. */
  readonly key: string;
  readonly buttons: readonly ButtonView[];
  readonly fields: readonly FieldView[];
  /** The external event that it fires, or the call that the browser makes. */
  readonly does:
    | { readonly kind: 'cause'; readonly cause: string }
    | { readonly kind: 'call'; readonly method: string; readonly path: string };
  /** Parameters set by the page. */
  readonly given: JsonObject;
  /** Redirect after it; null: the page itself. Before its cause has fired, only the origin is reliable. */
  readonly then: () => string | null;
  /** Whether the page is shown again in spite of `then`; called after the cause. */
  readonly stays: () => boolean;
  /** The target may redirect to other origins. */
  readonly onward: boolean;
}

export interface ButtonView {
  readonly text: string;
  readonly style: 'main' | 'plain';
  readonly testId: string | null;
  /** The parameter that the button sends, with its value; null: none. */
  readonly sends: readonly [name: string, value: string] | null;
  /** Whether required fields may be empty when this button is pressed. */
  readonly unfilled: boolean;
}

/** Types of a page's fields in HTML. */
export type FieldType = FieldView['type'];

export interface FieldView {
  readonly name: string;
  readonly label: string;
  readonly type:
    | 'text'
    | 'email'
    | 'password'
    | 'number'
    | 'tel'
    | 'url'
    | 'date'
    | 'hidden'
    | 'checkbox'
    | 'radio'
    | 'select';
  readonly options: readonly (readonly [string, string])[];
  readonly value: string;
  readonly hint: string;
  readonly required: boolean;
  readonly autocomplete: string | null;
  /** Name and id of the input in HTML. */
  readonly input: string;
  readonly testId: string | null;
  /** Whether the field isn't sent to the form's target. */
  readonly unsent: boolean;
}
