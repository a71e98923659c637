import type { Host } from '../expression/index.js';
import type { Model, ResourceDef } from '../model/index.js';
import type { Json } from '../values/index.js';
import type { Envelopes, HeaderPlan } from './response.js';
import type { BrowserLibrary } from './browser.js';
import type { Cause } from './cause.js';
import type { VendorClient } from './client.js';
import type { Start } from './start.js';
import type { DeliveryPlan } from './delivery.js';
import type { Facts } from './facts.js';
import type { GraphqlPlan } from './graphql.js';
import type { SmtpPlan } from './smtp.js';
import type { McpPlan } from './mcp.js';
import type { Magic, Scenario } from './magic.js';
import type { Operation, OutsideAtTimes, Unsupported } from './operation.js';
import type { BrowserPage } from './page.js';
import type { EventKind, EventMaker, ResourceProgram } from './resource.js';
import type { OtherPath } from './other-paths.js';
import type { RouteTable } from './routes.js';
import type { RateLimit } from './rate.js';
import type { TenantPlan } from './tenants.js';
import type { TimePlan } from './times.js';
import type { CallSignature } from './signature.js';
import type { ActorPlan, TokenPlan } from './tokens.js';
import type { NamedSeed } from './seed.js';
import type { ApiVersions } from './version.js';

/** A pack that can run. Parts that a first request doesn't need are compiled on first use. */
export interface Program {
  readonly model: Model;
  readonly resources: readonly ResourceProgram[];
  /** Computes the objects that a new world contains, by collection; null: none. */
  readonly initial: ((host: Host) => Readonly<Record<string, readonly Json[]>>) | null;
  /** Resource numbers in the order in which the objects of seed data are completed. */
  readonly seedOrder: readonly number[];
  readonly operations: readonly Operation[];
  readonly causes: ReadonlyMap<string, Cause>;
  readonly magic: Magic;
  readonly scenarios: () => ReadonlyMap<string, Scenario>;
  /** The pack's seed data, by name. */
  readonly seeds: () => ReadonlyMap<string, NamedSeed>;
  readonly eventMaker: EventMaker | null;
  /** Kinds of events besides ordinary ones, by name. */
  readonly eventKinds: ReadonlyMap<string, EventKind>;
  readonly eventTypes: readonly string[];
  readonly envelopes: Envelopes;
  readonly headers: HeaderPlan;
  /** Keys that the world issues; null: none. */
  readonly tokens: TokenPlan | null;
  /** Styles of signatures on calls, and how each is verified. */
  readonly signatures: readonly CallSignature[];
  /** How the actor of a call is found; null: the pack has no actors. */
  readonly actor: ActorPlan | null;
  /** How tenants are selected; null: worlds have no tenants. */
  readonly tenants: TenantPlan | null;
  readonly times: TimePlan | null;
  /** The rate limits, in the order of pack.yaml. */
  readonly rateLimits: readonly RateLimit[];
  readonly delivery: () => DeliveryPlan | null;
  readonly routes: RouteTable;
  /** The resource whose id a name in a route is, by that name. */
  readonly routeIds: ReadonlyMap<string, ResourceDef>;
  /** Alternative paths of objects, in the order of pack.yaml. */
  readonly otherPaths: readonly OtherPath[];
  readonly pages: readonly BrowserPage[];
  /** The library for browsers; null: none. */
  readonly browser: BrowserLibrary | null;
  /** The versions of the API; null: the pack has none. */
  readonly versions: ApiVersions | null;
  /** Path prefixes that the pack doesn't emulate, longest first. */
  readonly unsupported: readonly Unsupported[];
  /** Host names of the vendor that the pack doesn't emulate. */
  readonly otherHosts: ReadonlyMap<string, Unsupported>;
  /** Operations that the pack doesn't emulate for calls that meet a condition. */
  readonly outsideAtTimes: readonly OutsideAtTimes[];
  /** What the vendor's document declares beyond the pack; null: the pack has no facts.yaml. */
  readonly facts: Facts | null;
  /** The vendor's own client; null: none. */
  readonly client: () => VendorClient | null;
  /** Code for a first call; null: none. */
  readonly start: () => Start | null;
  /** The vendor's own MCP server; null: the pack has no mcp.yaml. */
  readonly mcp: McpPlan | null;
  /** The operation for mail by SMTP; null: none. */
  readonly smtp: () => SmtpPlan | null;
  /** The GraphQL API; null: the pack has no graphql.yaml. */
  readonly graphql: GraphqlPlan | null;
}
