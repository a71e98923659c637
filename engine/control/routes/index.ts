import { contractDocument } from '../document.js';
import type { ControlRoute } from '../route.js';
import { aboutRoutes } from './about.js';
import { CAUSE_ROUTES } from './causes.js';
import { CLOCK_ROUTES } from './clock.js';
import { COMPARE_ROUTES } from './compare.js';
import { WHY_ROUTES } from './why.js';
import { COVERAGE_ROUTES } from './coverage.js';
import { DELIVERY_FAULT_ROUTES } from './delivery-faults.js';
import { EXPORT_ROUTES } from './export.js';
import { FAULT_ROUTES } from './faults.js';
import { HISTORY_ROUTES } from './history.js';
import { JUDGE_ROUTES } from './judge.js';
import { LOOK_ROUTES } from './look.js';
import { MAILBOX_ROUTES } from './mailbox.js';
import { OBJECT_ROUTES } from './objects.js';
import { PACK_ROUTES } from './pack.js';
import { PIN_ROUTES } from './pins.js';
import { RUN_ROUTES } from './run.js';
import { STATE_ROUTES } from './state.js';
import { STREAM_ROUTES } from './stream.js';
import { TIMELINE_ROUTES } from './timeline.js';
import { TRACE_ROUTES } from './traces.js';
import { WEBHOOK_ROUTES } from './webhooks.js';
import { WORLD_ROUTES } from './world.js';
import { WORLDS_ROUTES } from './worlds.js';

/** All routes of the control API; the same for every world. */
export const CONTROL_ROUTES: readonly ControlRoute[] = [
  ...aboutRoutes(() => CONTROL_ROUTES, contractText),
  ...WORLD_ROUTES,
  ...STATE_ROUTES,
  ...OBJECT_ROUTES,
  ...LOOK_ROUTES,
  ...MAILBOX_ROUTES,
  ...PACK_ROUTES,
  ...STREAM_ROUTES,
  ...HISTORY_ROUTES,
  ...TIMELINE_ROUTES,
  ...COMPARE_ROUTES,
  ...JUDGE_ROUTES,
  ...RUN_ROUTES,
  ...WHY_ROUTES,
  ...COVERAGE_ROUTES,
  ...EXPORT_ROUTES,
  ...FAULT_ROUTES,
  ...CAUSE_ROUTES,
  ...CLOCK_ROUTES,
  ...WEBHOOK_ROUTES,
  ...DELIVERY_FAULT_ROUTES,
  ...PIN_ROUTES,
  ...TRACE_ROUTES,
  ...WORLDS_ROUTES,
];

let text: string | undefined;

/** The control API as an OpenAPI document, in JSON. */
export function contractText(): string {
  return (text ??= JSON.stringify(contractDocument(CONTROL_ROUTES)));
}
