import type { Json, JsonObject } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { RequestInfo, Paging, ResourceDef, Schema } from '../model/index.js';
import type { Row } from '../world/index.js';

/** One page of a list. */
export interface ListPage {
  readonly rows: readonly Row[];
  /** The resource of the items. */
  readonly resource: number;
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
  readonly url: string;
  readonly envelope: 'list' | 'search';
  /** How an item is shown; null: as its response. */
  readonly each: ((host: Host, row: Row) => Json) | null;
  /** The envelope of a list that has its own. */
  readonly own: EnvelopeWriter | null;
  /** The neighbouring pages. */
  readonly pages: () => ListPages;
  /** The number of items that match the filters, if the call requests it. */
  readonly totalCount: () => number;
}

/** Values about the pages of a list, for envelopes. Links are absolute; null: there is no such page. */
export interface ListPages {
  /** Number of the page. */
  readonly page: number;
  /** The number of pages. */
  readonly pages: () => number;
  readonly size: number;
  /** The parameters of the call, as sent. */
  readonly given: JsonObject;
  /** Number of items before the page. */
  readonly offset: number;
  readonly nextToken: string | null;
  readonly next: () => string | null;
  readonly prev: () => string | null;
  readonly first: () => string | null;
  readonly last: () => string | null;
  /** All links as a Link header (RFC 8288). */
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

/** A compiled set of a list's objects, or of their ids. */
export type OverSet = (host: Host, params: JsonObject, parent: JsonObject | null) => Json;

/** How an item is shown. */
export type ItemView = (host: Host, item: Row, params: JsonObject) => Json;

/** The number of objects on a page. */
interface PageSize {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** Whether smaller sizes of pages are ignored. */
  readonly ignoresBelow: boolean;
}

/** How a list is read. */
export interface ListPlan {
  readonly def: ResourceDef;
  readonly filters: readonly Filter[];
  readonly where: ItemTest | null;
  /** The objects of the list, or their ids; null: all. */
  readonly over: OverSet | null;
  /** How the list shows an object; null: as the object's response. */
  readonly each: ItemView | null;
  /** The field that refers to the parent in the route; null: none. */
  readonly parent: string | null;
  readonly ascending: boolean;
  /** The sort field; null: the resource's order. */
  readonly sort: string | null;
  /** Parameters that change the order, by their values; null: none. */
  readonly asked: {
    readonly order: {
      readonly param: string;
      readonly ascending: ReadonlyMap<string, boolean>;
      /** Directions of the order by the value of the parameter that says by what to order, if the call gives none. */
      readonly usual: ReadonlyMap<string, boolean>;
    } | null;
    readonly sort: { readonly param: string; readonly values: ReadonlyMap<string, SortValue> } | null;
  };
  readonly paging: Paging;
  /** Compiles what is written around the list, when first used; null: the envelope of pack.yaml. */
  readonly envelope: (() => EnvelopeWriter) | null;
  readonly names: { readonly size: string; readonly after: readonly string[]; readonly before: string | null };
  /** An unknown cursor returns the first page. */
  readonly lenient: boolean;
  readonly size: PageSize;
}

/** The meaning of a sort parameter's value; `ascending` null: decided by another parameter or the operation. */
export interface SortValue {
  readonly field: string;
  readonly ascending: boolean | null;
}

/** How a search parses its query. */
export interface SearchPlan {
  readonly def: ResourceDef;
  /** Fields that searches can name. */
  readonly fields: ReadonlyMap<string, Schema>;
  /** The field that refers to the object whose items are searched, as in `ListPlan`. */
  readonly parent: string | null;
  /** A condition on every item, independent of the query; null: none. */
  readonly where: ItemTest | null;
  readonly param: string;
  readonly page: string;
  /** The shortest text that `~` accepts. */
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
