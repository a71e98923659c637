/** What the errors of a new pack have unless they say otherwise. */
export const ERROR_DEFAULTS_YAML = `defaults:
  status: 400
  body: { code: invalid, param: null, message: null }
`;

/** The errors that the engine itself raises, for a new pack: short, in one place, ready to be made the vendor's own. */
export const ENGINE_ERRORS_YAML = `  api_key_missing: { status: 401, code: unauthorized, message: "Send your API key: Authorization: Bearer KEY." }
  api_key_invalid: { status: 401, args: [key], code: unauthorized, message: "Unknown API key \${mask(key)}." }
  unknown_route: { status: 404, args: [method, path], code: not_found, message: "There is no \${method} \${path}." }
  not_found: { status: 404, args: [title, id], code: not_found, message: "There is no \${title} \${id}." }
  parameter_missing: { args: [param], param: =param, message: "\${param} is required." }
  parameter_unknown: { args: [param], param: =param, message: "\${param} is not a parameter." }
  parameter_invalid: { args: { param: string, kind: "string?" }, param: =param, message: "\${param} is invalid." }
  body_malformed: { args: { reason: "string?" }, message: "The body cannot be read." }
  wrong_state:
    status: 409
    args: [action, status, title]
    code: wrong_state
    message: "\${action} is not possible for a \${title} that is \${status}."
  # What POST /__admin__/faults orders: \`error\` are the keys that the test gave.
  fault:
    status: =status
    args: { status: integer, error: map }
    body: "=merge({'code': 'unavailable', 'message': 'Try again later.'}, error)"
  internal_error: { status: 500, code: internal, message: Something went wrong. }
`;
