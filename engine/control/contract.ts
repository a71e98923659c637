import { installedFile } from '../pack/index.js';

/** Version of what the control API promises. */
export const CONTRACT_VERSION = '1.0.0';

/** Where the control API stands. */
export const CONTROL_PATH = '/__admin__';

let text: string | undefined;

/** The control API as OpenAPI. */
export function contractText(): string {
  return (text ??= installedFile('schemas/control-plane.openapi.json'));
}
