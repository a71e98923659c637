import type { Operation } from './operation.js';

/** What mail calls that comes by SMTP. */
export interface SmtpPlan {
  readonly operation: Operation;
  /** Its parameters, as JMESPath over the mail. */
  readonly with: Readonly<Record<string, string>>;
  /** JMESPath over the body of a rejection; null: the body is its text. */
  readonly error: string | null;
}
