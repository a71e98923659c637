import type { Json, JsonObject } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { RequestInfo, Paging, ResourceDef, Schema } from '../model/index.js';
import type { Row } from '../world/index.js';

/** One page of a list, with functions for its envelope. */
export interface ListPage {
  readonly rows: readonly Row[];
  /** Number of the items' resource. */
  readonly resource: number;
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
  readonly url: string;
  readonly envelope: 'list' | 'search';
  /** Returns the value of an item in the page; null: the item's response. */
  readonly each: ((host: Host, row: Row) => Json) | null;
  /** Writes the list's own envelope; null: the envelope in pack.yaml. */
  readonly own: EnvelopeWriter | null;
  /** Computes the links, numbers and tokens of neighbouring pages. */
  readonly pages: () => ListPages;
  /** Counts the items that match the filters, for calls that request the count. */
  readonly totalCount: () => number;
}

/** Values about the pages of a list, for envelopes. Links are absolute; null if no such page exists. */
export interface ListPages {
  /** Number of the current page. */
  readonly page: number;
  /** Counts the pages of the list. */
  readonly pages: () => number;
  readonly size: number;
  /** Parameters of the call as it sent them, which links repeat. */
  readonly given: JsonObject;
  /** Number of items before the page. */
  readonly offset: number;
  readonly nextToken: string | null;
  readonly next: () => string | null;
  readonly prev: () => string | null;
  readonly first: () => string | null;
  readonly last: () => string | null;
  /** Builds all links as one Link header (RFC 8288). */
  readonly link: () => string | null;
}

/** A filter of a list: by a field's value or range, or by an expression of its own. */
export interface Filter {
  readonly name: string;
  readonly field: string;
  readonly schema: Schema;
  readonly where: ItemTest | null;
}

/** A compiled condition over an item, the value of its filter, and the parameters of the call. */
export type ItemTest = (host: Host, item: Row, value: Json, params: JsonObject) => boolean;

/** A compiled expression for a list's objects, or their ids. */
export type OverSet = (host: Host, params: JsonObject, parent: JsonObject | null) => Json;

/** A compiled expression for the value of an item in a list. */
export type ItemView = (host: Host, item: Row, params: JsonObject) => Json;

/** The default, minimum and maximum number of objects on a page. */
interface PageSize {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** Whether a page size below the minimum is ignored, so that the default applies. */
  readonly ignoresBelow: boolean;
}

/** The compiled declaration of a list: filters, order and paging. */
export interface ListPlan {
  readonly def: ResourceDef;
  readonly filters: readonly Filter[];
  readonly where: ItemTest | null;
  /** Computes the objects that the list contains, or their ids; null: all of the resource. */
  readonly over: OverSet | null;
  /** Computes the value of an item in the list; null: the item's response. */
  readonly each: ItemView | null;
  /** The field that refers to the parent in the route; null: none. */
  readonly parent: string | null;
  readonly ascending: boolean;
  /** The field by which the list is sorted; null: the resource's order. */
  readonly sort: string | null;
  /** Parameters with which callers select the order: for each value of the parameter, the field or direction. Null: none. */
  readonly asked: {
    readonly order: {
      readonly param: string;
      readonly ascending: ReadonlyMap<string, boolean>;
      /** Direction by default, for each value of the parameter that selects the sort field. */
      readonly usual: ReadonlyMap<string, boolean>;
    } | null;
    readonly sort: { readonly param: string; readonly values: ReadonlyMap<string, SortValue> } | null;
  };
  readonly paging: Paging;
  /** Compiles the envelope of the list on first use; null: the envelope of pack.yaml applies. */
  readonly envelope: (() => EnvelopeWriter) | null;
  readonly names: { readonly size: string; readonly after: readonly string[]; readonly before: string | null };
  /** Whether an unknown cursor returns the first page instead of an error. */
  readonly lenient: boolean;
  readonly size: PageSize;
}

/** The sort field for a parameter's value, and its direction; `ascending` null: decided elsewhere. */
export interface SortValue {
  readonly field: string;
  readonly ascending: boolean | null;
}

/** How a search parses its query and selects items. */
export interface SearchPlan {
  readonly def: ResourceDef;
  /** Fields that the search text can name. */
  readonly fields: ReadonlyMap<string, Schema>;
  /** The field that refers to the parent, if only the items of one parent are searched, as in `ListPlan`. */
  readonly parent: string | null;
  /** A condition on every item, independent of the query; null: none. */
  readonly where: ItemTest | null;
  readonly param: string;
  readonly page: string;
  /** Minimum length of a text that the operator `~` accepts, in characters. */
  readonly shortest: number;
  readonly sizeParam: string;
  /** How results of the search are divided into pages. */
  readonly paging: Paging;
  readonly names: ListPlan['names'];
  readonly envelope: ListPlan['envelope'];
  readonly size: PageSize;
}

/** Writes the envelope of a list page around the texts of its items. */
export type EnvelopeWriter = (host: Host, request: RequestInfo, page: ListPage, items: string) => string;
