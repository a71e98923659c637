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
  /** What is shown of an item; null: its response. */
  readonly each: ((host: Host, row: Row) => Json) | null;
  /** What is written around it, where its list has an envelope of its own. */
  readonly own: EnvelopeWriter | null;
  /** The pages around it. */
  readonly pages: () => ListPages;
  /** Items that meet the filters, where counting was asked for. */
  readonly totalCount: () => number;
}

/** What may be said of the pages of a list. Links are absolute; null: there is no such page. */
export interface ListPages {
  /** Number of the page. */
  readonly page: number;
  /** How many there are. */
  readonly pages: () => number;
  readonly size: number;
  /** The parameters of the call, as they were sent. */
  readonly given: JsonObject;
  /** Items before the page. */
  readonly offset: number;
  readonly nextToken: string | null;
  readonly next: () => string | null;
  readonly prev: () => string | null;
  readonly first: () => string | null;
  readonly last: () => string | null;
  /** All of them as a Link header (RFC 8288). */
  readonly link: () => string | null;
}

/** A filter of a list: by a field's value or range, or by an expression of its own. */
export interface Filter {
  readonly name: string;
  readonly field: string;
  readonly schema: Schema;
  readonly where: ItemTest | null;
}

/** A compiled condition over an item, the value that a filter was given, and the parameters of the call. */
export type ItemTest = (host: Host, item: Row, value: Json, params: JsonObject) => boolean;

/** A compiled set of objects of a list, or of their ids. */
export type OverSet = (host: Host, params: JsonObject, parent: JsonObject | null) => Json;

/** What is shown of an item. */
export type ItemView = (host: Host, item: Row, params: JsonObject) => Json;

/** How many objects a page holds. */
interface PageSize {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** A smaller size is as if it were not sent. */
  readonly ignoresBelow: boolean;
}

/** How a list is read. */
export interface ListPlan {
  readonly def: ResourceDef;
  readonly filters: readonly Filter[];
  readonly where: ItemTest | null;
  /** The objects, or their ids, that it is of; null: all. */
  readonly over: OverSet | null;
  /** What it shows of an object; null: its response. */
  readonly each: ItemView | null;
  /** The field that has to refer to the parent that the route names; null: there is none. */
  readonly parent: string | null;
  readonly ascending: boolean;
  /** The field that its items are sorted by; null: by the resource's order. */
  readonly sort: string | null;
  /** The parameters that say otherwise, by their values; null: there is none. */
  readonly asked: {
    readonly order: {
      readonly param: string;
      readonly ascending: ReadonlyMap<string, boolean>;
      /** What is meant where the caller doesn't say it, by values of the other parameter. */
      readonly usual: ReadonlyMap<string, boolean>;
    } | null;
    readonly sort: { readonly param: string; readonly values: ReadonlyMap<string, SortValue> } | null;
  };
  readonly paging: Paging;
  /** Compiled when first used; null: that of pack.yaml. */
  readonly envelope: (() => EnvelopeWriter) | null;
  readonly names: { readonly size: string; readonly after: readonly string[]; readonly before: string | null };
  /** A cursor that leads nowhere gives the first page. */
  readonly lenient: boolean;
  readonly size: PageSize;
}

/** What a value of the parameter with the sort field means; `ascending` null: another parameter says, or the operation. */
export interface SortValue {
  readonly field: string;
  readonly ascending: boolean | null;
}

/** How a search reads its query. */
export interface SearchPlan {
  readonly def: ResourceDef;
  /** Searchable fields. */
  readonly fields: ReadonlyMap<string, Schema>;
  /** As in `ListPlan`. */
  readonly parent: string | null;
  /** What every item must meet, whatever the query says. */
  readonly where: ItemTest | null;
  readonly param: string;
  readonly page: string;
  /** The shortest text that `~` looks for. */
  readonly shortest: number;
  readonly sizeParam: string;
  /** How its pages are described. */
  readonly paging: Paging;
  readonly names: ListPlan['names'];
  readonly envelope: ListPlan['envelope'];
  readonly size: PageSize;
}

/** Writes a list page around the prepared texts of its items. */
export type EnvelopeWriter = (host: Host, request: RequestInfo, page: ListPage, items: string) => string;
