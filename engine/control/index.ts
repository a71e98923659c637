/** The control plane: what tests do to a world, under `/__admin__`. */
export { type Advance, ClockControl, type ClockOptions, type Progress } from '../runtime/clock.js';
export type { ControlContext, Deliveries, DeliveryReport } from './context.js';
export { CONTRACT_VERSION } from './contract.js';
export { type ControlPlane, controlPlane } from './plane.js';
