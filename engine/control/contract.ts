/** Version of the control API's contract. */
export const CONTRACT_VERSION = '1.0.0';

/** Path of the control API. */
export const CONTROL_PATH = '/__admin__';
