/** Compiled packs as types: everything that `compile/` makes of a pack and `runtime/` runs on a world. */
export type { Additions, ResponsePlan, Envelopes, HeaderPlan } from './response.js';
export type {
  EnvelopeWriter,
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
export type {
  BrowserLibrary,
  BrowserPage,
  ButtonView,
  FieldType,
  FieldView,
  FormView,
  PageView,
  PageVisit,
  PartView,
} from './page.js';
export type {
  VendorClient,
  Start,
  Cause,
  CauseVariant,
  CallPin,
  Magic,
  MagicFamily,
  Recipe,
  Scenario,
  SmtpPlan,
  Facts,
  Program,
  OtherPath,
  NamedSeed,
  TenantPlan,
  TimePlan,
  ActorPlan,
  TokenPlan,
  CallSignature,
  SignedCall,
} from './program.js';
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
export { SEARCH_PROBLEMS, searched, type SearchProblem, type SearchQualifier, type TextSearch } from './text-search.js';
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
export type { GraphqlCall, GraphqlField, GraphqlPlan } from './graphql.js';
export {
  type ChoiceTool,
  type ContextArgument,
  type DiscoverOperation,
  type DiscoverPlan,
  type McpPlan,
  type ServerTool,
  type OwnArgument,
  type OwnKind,
  type OwnTool,
  type ToolAlias,
  type ToolAliasParameter,
  type ToolStep,
  type ToolArgument,
  PLAIN_DISCOVERY,
} from './mcp.js';
export { dispatchParts, withoutDispatch } from './dispatch.js';
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
  CompiledStep,
} from './resource.js';
export type { OfCall, RateFacts, RateLimit } from './rate.js';
export { inShape, type Version, type VersionCall, type ApiVersions, type VersionShape } from './version.js';
export type { EventProgram, OverObject, PinProblems } from './event.js';
