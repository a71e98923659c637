/** Version of what the control API promises. */
export const CONTRACT_VERSION = '1.0.0';

/** Where the control API is. */
export const CONTROL_PATH = '/__admin__';
