import type { Json, JsonObject } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { SourceLocation, ResourceDef } from '../model/index.js';
import type { Row } from '../world/index.js';

/** A page of the pack, compiled when first opened. */
export interface BrowserPage {
  readonly name: string;
  readonly place: SourceLocation;
  readonly resource: ResourceDef;
  /** Path with `{id}`. */
  readonly path: string;
  readonly format: 'html' | 'pdf' | 'png';
  /** Pages of other origins may show it in a frame, at least of some objects. */
  readonly framed: boolean;
  /** Whether they may show that of an object now. */
  mayBeFramed(host: Host, row: Row): boolean;
  /** What it shows of an object now. */
  view(host: Host, row: Row): PageView;
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
  | { readonly kind: 'heading' | 'text' | 'alert'; readonly text: string }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly [string, string])[] }
  | { readonly kind: 'link'; readonly text: string; readonly to: string }
  | { readonly kind: 'form'; readonly form: FormView };

export interface FormView {
  /** Distinguishes the forms of a page; changes with what the page decides for it. */
  readonly key: string;
  readonly button: string;
  readonly style: 'main' | 'plain';
  readonly fields: readonly FieldView[];
  readonly cause: string;
  /** Parameters that the page decides. */
  readonly given: JsonObject;
  /** Where it leads; null: to the page again. Before its cause happened it has the origin at least. */
  readonly then: () => string | null;
  /** Whether the page is shown again all the same; asked after the cause. */
  readonly stays: () => boolean;
}

export interface FieldView {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'email' | 'number' | 'checkbox' | 'select';
  readonly options: readonly (readonly [string, string])[];
  readonly value: string;
  readonly hint: string;
  readonly required: boolean;
  /** Its name and id in HTML. */
  readonly input: string;
  readonly testId: string | null;
  /** It is no parameter of the cause. */
  readonly unsent: boolean;
}
