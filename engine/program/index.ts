/** Compiled packs as types: everything that `compile/` makes of a pack and `runtime/` runs on a world. */
export type { Additions, ResponsePlan, Envelopes, HeaderPlan } from './response.js';
export type { EnvelopeWriter } from './list.js';
export type { BrowserLibrary } from './browser.js';
export type { VendorClient } from './client.js';
export type { Start } from './start.js';
export type { Cause, CauseVariant } from './cause.js';
export {
  CONNECTION_HEADERS,
  type AttemptsPlan,
  type DeliveryOutcome,
  type DeliveryPlan,
  type OutcomeSteps,
  type OutcomeTest,
  type EndpointPlan,
  type EndpointRequest,
  type FramedMessage,
  type HttpPlan,
  type MessageParts,
  type OverDelivery,
  type OverEndpoint,
  type SignatureStyle,
  type SocketPlan,
  type TransportPlan,
  type WrittenMessage,
} from './delivery.js';
export { Edits } from './edits.js';
export type { Execution } from './execution.js';
export { BudgetExceeded, Rejection } from './rejection.js';
export type {
  Filter,
  ItemTest,
  ItemView,
  ListPage,
  OverSet,
  ListPlan,
  ListPages,
  SearchPlan,
  SortValue,
} from './list.js';
export { SEARCH_PROBLEMS, searched, type SearchProblem, type SearchQualifier, type TextSearch } from './text-search.js';
export type { CallPin, Magic, MagicFamily, Recipe, Scenario } from './magic.js';
export type {
  Content,
  ContentVariant,
  OfResponse,
  Stream,
  ResponseHead,
  Invocation,
  Operation,
  OperationBody,
  OperationResult,
  DispatchRule,
  OperationRoute,
  LongPoll,
  OutsideAtTimes,
  Parent,
  TagPlan,
  Unsupported,
  WholeBody,
} from './operation.js';
export { nounOf, operationTitle, parameterDescription } from './descriptions.js';
export { ruleKeywords } from './rule-schema.js';
export { ruleTexts } from './rule-texts.js';
export { fileOf, pagingSchemas, requiredOf, resourceSchema, resultSchema, schemaOf } from './json-schema.js';
export type { SmtpPlan } from './smtp.js';
export type { GraphqlCall, GraphqlField, GraphqlPlan } from './graphql.js';
export type {
  ChoiceTool,
  ContextArgument,
  DiscoverOperation,
  DiscoverPlan,
  McpPlan,
  ServerTool,
  OwnArgument,
  OwnKind,
  OwnTool,
  ToolAlias,
  ToolAliasParameter,
  ToolStep,
  ToolArgument,
} from './mcp.js';
export { PLAIN_DISCOVERY } from './mcp.js';
export type { Facts } from './facts.js';
export type { BrowserPage, ButtonView, FieldType, FieldView, FormView, PageView, PageVisit, PartView } from './page.js';
export type { Program } from './program.js';
export { dispatchParts, withoutDispatch } from './dispatch.js';
export type { OtherPath } from './other-paths.js';
export { type RouteMatch, routeShape, RouteTable } from './routes.js';
export type {
  Complete,
  Dependent,
  EventKind,
  EventMaker,
  LateMaker,
  PinPath,
  MessagePlan,
  ResourceProgram,
  Seeded,
  SeedRejection,
  RenderedShape,
  StoredField,
  WaitProgram,
} from './resource.js';
export type { OfCall, RateFacts, RateLimit } from './rate.js';
export type { NamedSeed } from './seed.js';
export type { TenantPlan } from './tenants.js';
export type { TimePlan } from './times.js';
export type { ActorPlan, TokenPlan } from './tokens.js';
export type { CallSignature, SignedCall } from './signature.js';
export { inShape, type Version, type VersionCall, type ApiVersions, type VersionShape } from './version.js';
export type { EventProgram } from './event.js';
export type { OverObject, PinProblems } from './over-object.js';
export type { CompiledStep } from './step.js';
