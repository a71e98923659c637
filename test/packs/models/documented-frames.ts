/** Frames of streams as the vendors' public documents show them: their order, names and members. Texts are those of the tests. */

/** An event of a stream: with a name, or without. */
export interface Frame {
  readonly event: string | null;
  readonly data: unknown;
}

/** The frames of a stream, in order. */
export function framesOf(text: string): Frame[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [, name] = /^event: (.*)$/m.exec(block) ?? [];
      const [, data] = /^data: (.*)$/m.exec(block) ?? [];
      return { event: name ?? null, data: data === '[DONE]' ? data : (JSON.parse(data) as unknown) };
    });
}

const ID: unknown = expect.any(String);
const NUMBER: unknown = expect.any(Number);

/** OpenAI's document, `POST /chat/completions`, example "Streaming"; its guide to function calls. */
export function chatFrames(deltas: readonly object[], finish_reason: string): Frame[] {
  const chunk = (delta: object, reason: string | null): Frame => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: reason }];
    const data = { id: ID, object: 'chat.completion.chunk', created: NUMBER, model: ID, system_fingerprint: ID, choices };
    return { event: null, data };
  };
  return [...deltas.map((delta) => chunk(delta, null)), chunk({}, finish_reason), { event: null, data: '[DONE]' }];
}

const named = (type: string, more: object): Frame => ({ event: type, data: { type, ...more } });

/**
 * OpenAI's document, `POST /responses`, example "Streaming"; its guide to function calls: a text, or a call. Its example has `user: null` too, which
 * its schema forbids.
 */
export function responseFrames(texts: readonly string[], call?: { readonly name: string; readonly pieces: readonly string[] }): Frame[] {
  const begun = {
    ...{ id: ID, object: 'response', created_at: NUMBER, status: 'in_progress', error: null, incomplete_details: null, instructions: null },
    ...{ max_output_tokens: null, model: ID, output: [], parallel_tool_calls: true, previous_response_id: null },
    ...{ reasoning: { effort: null, summary: null }, store: true, text: { format: { type: 'text' } }, tool_choice: 'auto' },
    ...{ truncation: 'disabled', usage: null, metadata: {} },
  };
  const text = texts.join('');
  const part = { type: 'output_text', text, annotations: [] };
  const message = { id: ID, type: 'message', status: 'completed', role: 'assistant', content: [part] };
  const at = { item_id: ID, output_index: 0 };
  const args = call?.pieces.join('') ?? '';
  const called = { id: ID, type: 'function_call', status: 'completed', call_id: ID, name: call?.name, arguments: args };
  const item = call === undefined ? message : called;
  const added = call === undefined ? { content: [] } : { arguments: '' };
  const spoken = [
    named('response.content_part.added', { ...at, content_index: 0, part: { ...part, text: '' } }),
    ...texts.map((delta) => named('response.output_text.delta', { ...at, content_index: 0, delta })),
    named('response.output_text.done', { ...at, content_index: 0, text }),
    named('response.content_part.done', { ...at, content_index: 0, part }),
  ];
  const asked = [
    ...(call?.pieces ?? []).map((delta) => named('response.function_call_arguments.delta', { ...at, delta })),
    named('response.function_call_arguments.done', { ...at, arguments: args }),
  ];
  const usage = { input_tokens: NUMBER, output_tokens: NUMBER, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: NUMBER };
  return [
    named('response.created', { response: begun }),
    named('response.in_progress', { response: begun }),
    named('response.output_item.added', { output_index: 0, item: { ...item, status: 'in_progress', ...added } }),
    ...(call === undefined ? spoken : asked),
    named('response.output_item.done', { output_index: 0, item }),
    named('response.completed', { response: { ...begun, status: 'completed', output: [item], usage } }),
  ];
}

/** A block of a message, with its deltas. */
export interface DocumentedBlock {
  readonly begins: object;
  readonly deltas: readonly object[];
}

/** Anthropic's guide to streaming: a message of blocks. */
export function messageFrames(blocks: readonly DocumentedBlock[], stop_reason: string): Frame[] {
  const usage = { input_tokens: NUMBER, output_tokens: 1 };
  const message = { id: ID, type: 'message', role: 'assistant', content: [], model: ID, stop_reason: null, stop_sequence: null, usage };
  const shown = blocks.flatMap(({ begins, deltas }, index) => [
    named('content_block_start', { index, content_block: begins }),
    ...(index === 0 ? [named('ping', {})] : []),
    ...deltas.map((delta) => named('content_block_delta', { index, delta })),
    named('content_block_stop', { index }),
  ]);
  return [
    named('message_start', { message }),
    ...shown,
    named('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: NUMBER } }),
    named('message_stop', {}),
  ];
}
