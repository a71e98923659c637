/** The errors that the engine itself raises, for a new pack: short, in one place, ready to be made the vendor's own. */
export const ENGINE_ERRORS_YAML = `  api_key_missing: { status: 401, body: { code: unauthorized, message: "Send your API key: Authorization: Bearer KEY." } }
  api_key_invalid: { status: 401, args: { key: string }, body: { code: unauthorized, message: "Unknown API key \${mask(key)}." } }
  unknown_route: { status: 404, args: { method: string, path: string }, body: { code: not_found, message: "There is no \${method} \${path}." } }
  not_found: { status: 404, args: { title: string, id: string }, body: { code: not_found, message: "There is no \${title} \${id}." } }
  parameter_missing: { status: 400, args: { param: string }, body: { code: invalid, param: "\${param}", message: "\${param} is required." } }
  parameter_unknown: { status: 400, args: { param: string }, body: { code: invalid, param: "\${param}", message: "\${param} is not a parameter." } }
  parameter_invalid: { status: 400, args: { param: string, kind: "string?" }, body: { code: invalid, param: "\${param}", message: "\${param} is invalid." } }
  body_malformed: { status: 400, args: { reason: "string?" }, body: { code: invalid, message: "The body cannot be read." } }
  wrong_state:
    status: 409
    args: { action: string, status: string, title: string }
    body: { code: wrong_state, message: "\${action} is not possible for a \${title} that is \${status}." }
  # What POST /__admin__/faults orders: \`error\` are the keys that the test gave.
  fault: { status: "\${status}", args: { status: integer, error: map }, body: "\${merge({'code': 'unavailable', 'message': 'Try again later.'}, error)}" }
  internal_error: { status: 500, body: { code: internal, message: "Something went wrong." } }
`;
