import type { ControlContext, ControlRoute } from '../context.js';
import { aboutRoutes } from './about.js';
import { causeRoutes } from './causes.js';
import { clockRoutes } from './clock.js';
import { compareRoutes } from './compare.js';
import { coverageRoutes } from './coverage.js';
import { deliveryFaultRoutes } from './delivery-faults.js';
import { exportRoutes } from './export.js';
import { faultRoutes } from './faults.js';
import { historyRoutes } from './history.js';
import { objectRoutes } from './objects.js';
import { packRoutes } from './pack.js';
import { pinRoutes } from './pins.js';
import { stateRoutes } from './state.js';
import { streamRoutes } from './stream.js';
import { traceRoutes } from './traces.js';
import { webhookRoutes } from './webhooks.js';
import { worldRoutes } from './world.js';
import { worldsRoutes } from './worlds.js';

/** The whole table of the control API. */
export function controlRoutes(context: ControlContext): ControlRoute[] {
  const routes = [
    worldRoutes,
    stateRoutes,
    objectRoutes,
    packRoutes,
    streamRoutes,
    historyRoutes,
    compareRoutes,
    coverageRoutes,
    exportRoutes,
    faultRoutes,
    causeRoutes,
    clockRoutes,
    webhookRoutes,
    deliveryFaultRoutes,
    pinRoutes,
    traceRoutes,
    worldsRoutes,
  ].flatMap((make) => make(context));
  return [...aboutRoutes(context, routes), ...routes];
}
