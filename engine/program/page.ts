import type { Json, JsonObject } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { RequestInfo, SourceLocation, ResourceDef } from '../model/index.js';
import type { Row } from '../world/index.js';

/** The vendor's JavaScript library for pages in browsers, as the pack declares it. */
export interface BrowserLibrary {
  /** URL paths at which the sandbox serves the browser library. */
  readonly paths: readonly string[];
  /** The input of the browser runtime, in the format that tools/browser/library.ts reads. */
  readonly description: JsonObject;
}

/** A browser's request for a page. */
export interface PageVisit {
  readonly request: RequestInfo;
  /** Values of the query parameters that the page declares; null: missing. */
  readonly query: JsonObject;
}

/** A page of the pack for browsers, compiled when it is first opened. */
export interface BrowserPage {
  readonly name: string;
  readonly place: SourceLocation;
  readonly resource: ResourceDef;
  /** URL path of the page, with `{id}` for its object, or without if `object` finds the object. */
  readonly path: string;
  readonly format: 'html' | 'pdf' | 'png';
  /** Whether a form of the page is sent to the page's URL; false if all forms call operations. */
  readonly takesForms: boolean;
  /** Names of query parameters that the page's expressions read. */
  readonly query: readonly string[];
  /** Whether pages of other origins may show the page in a frame, at least for some objects. */
  readonly framed: boolean;
  /** Finds the object that the page shows. Null: the page's path contains the object's id. */
  readonly object: ((host: Host, visit: PageVisit) => Json) | null;
  /** Returns the redirect for a visit whose object doesn't exist; null: none. */
  otherwise(host: Host, visit: PageVisit): string | null;
  /** Returns the redirect that replaces the page of an object; null: the page is shown. */
  redirect(host: Host, row: Row, visit: PageVisit): string | null;
  /** Whether pages of other origins may currently frame the page of an object. */
  mayBeFramed(host: Host, row: Row, visit: PageVisit): boolean;
  /** Computes the content that the page currently shows for an object. */
  view(host: Host, row: Row, visit: PageVisit): PageView;
  /** Compiles the page now instead of on first use, so that problems are reported. */
  check(): void;
}

/** The content of a page, as plain text that isn't escaped yet. */
export interface PageView {
  readonly title: string;
  readonly parts: readonly PartView[];
  /** The message that the page posts to the page that frames it; null: none. */
  readonly posts: Json;
}

export type PartView =
  | { readonly kind: 'heading' | 'text' | 'alert' | 'source'; readonly text: string }
  | { readonly kind: 'frame'; readonly title: string; readonly html: string }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly [string, string])[] }
  | { readonly kind: 'link'; readonly text: string; readonly to: string }
  | { readonly kind: 'form'; readonly form: FormView };

export interface FormView {
  /** Identifies the form within its page; depends on the parameters in `given`. */
  readonly key: string;
  readonly buttons: readonly ButtonView[];
  readonly fields: readonly FieldView[];
  /** The external event that submitting the form fires, or the operation that the browser calls. */
  readonly does:
    | { readonly kind: 'cause'; readonly cause: string }
    | { readonly kind: 'call'; readonly method: string; readonly path: string };
  /** Parameters that the page adds to the form's fields. */
  readonly given: JsonObject;
  /** Returns the redirect after submission; null: the page itself. Only its origin is final before the event has fired. */
  readonly then: () => string | null;
  /** Whether the page is shown again instead of the redirect; evaluated after the external event. */
  readonly stays: () => boolean;
  /** Whether the redirect's target may redirect to other origins. */
  readonly onward: boolean;
}

export interface ButtonView {
  readonly text: string;
  readonly style: 'main' | 'plain';
  readonly testId: string | null;
  /** Name and value of the parameter that the pressed button sends; null: none. */
  readonly sends: readonly [name: string, value: string] | null;
  /** Whether required fields may be empty if the button submits the form. */
  readonly unfilled: boolean;
}

/** HTML types of the fields in a page's forms. */
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
  /** Name and id of the field's HTML input. */
  readonly input: string;
  readonly testId: string | null;
  /** Whether submitting the form leaves out the field. */
  readonly unsent: boolean;
}
