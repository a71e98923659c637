/** The form of a pack's `browser.yaml` after linking, as the page receives it (engine/program/page.ts). */
interface LibraryDescription {
  readonly script: readonly string[];
  readonly global: string;
  readonly versions: Readonly<Record<string, string | number>>;
  /** Prefix of publishable keys; null: `global` is an object with the methods instead of a function. */
  readonly keyPrefix: string | null;
  readonly encoding: 'form' | 'json';
  readonly error: string | null;
  readonly unreachable: Values;
  readonly secret: string | null;
  readonly ignores: readonly string[];
  readonly objects: Readonly<Record<string, Values>>;
  readonly elements: ElementsDescription | null;
  /** Methods that aren't emulated, with their replacement. */
  readonly unsupported: Readonly<Record<string, string>>;
  readonly methods: Readonly<Record<string, MethodDescription>>;
  readonly sessions: Readonly<Record<string, SessionDescription>>;
}

interface ElementsDescription {
  readonly method: string;
  readonly named_by?: string;
  readonly kinds: Readonly<Record<string, ElementKind>>;
  readonly frames?: FramesDescription;
}

interface FramesDescription {
  readonly name: string;
  readonly over: { readonly title: string; readonly address: string; readonly inner: string };
}

interface ElementKind {
  readonly stands_for?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly inputs: Readonly<Record<string, InputDescription>>;
  readonly buttons?: Readonly<Record<string, ButtonDescription>>;
  readonly ready?: Values;
  readonly frame?: { readonly title: string; readonly address: string };
  readonly line?: boolean;
  readonly tab?: string;
}

interface ButtonDescription {
  readonly label: string;
  readonly events: readonly {
    readonly event: string;
    readonly with?: Values;
    readonly waits?: string;
    readonly ignores?: readonly string[];
  }[];
}

interface InputDescription {
  readonly label: string;
  /** Names of the parameters that share the entered text. */
  readonly fills: string | readonly string[];
  readonly name?: string;
  readonly unless?: string;
  readonly type?: string;
  readonly autocomplete?: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly incomplete?: Values;
}

interface MethodDescription {
  readonly takes: readonly string[];
  /** The HTTP method of the call; null: the browser navigates to `path`. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | null;
  /** Path of the operation or page, with `{id}`. */
  readonly path: string;
  readonly id: readonly string[];
  readonly sends: readonly {
    readonly to: string;
    readonly from: readonly string[];
    readonly is: string | number | boolean | null;
    readonly when: 'text' | 'map' | null;
    readonly with: Values | null;
    /** Whether `with` is sent even without a value. */
    readonly always: boolean;
  }[];
  readonly gives: string | null;
  readonly next: readonly { readonly at: string; readonly opens: 'frame' | 'page' }[];
  readonly again: string | null;
  readonly failsAt: string | null;
  readonly stays: Readonly<Record<string, unknown>>;
  readonly leaves: {
    readonly to: string;
    readonly unless: Readonly<Record<string, unknown>>;
    readonly adds: Readonly<Record<string, string>>;
  } | null;
  readonly mounts: MountDescription | null;
  readonly opens: OpenDescription | null;
}

interface OpenDescription {
  readonly methods: Readonly<Record<string, 'open' | 'leave' | 'remove' | 'ignore'>>;
  readonly ready: string | null;
  readonly calls: Readonly<Record<string, string>>;
  readonly ends: readonly string[];
  readonly opened: PostedCall | null;
  readonly left: PostedCall | null;
}

/** A call of the page's function, by its name in `calls`, with arguments. */
interface PostedCall {
  readonly call: string;
  readonly with: readonly unknown[];
}

interface MountDescription {
  /** The path that retrieves the object, with `{id}`. */
  readonly path: string;
  readonly until: Readonly<Record<string, unknown>>;
  readonly tells: string | null;
  readonly to: string | null;
  readonly when: Readonly<Record<string, unknown>>;
  readonly fills: Readonly<Record<string, string>>;
}

/** Describes an API object that has elements and actions of its own in the page. */
interface SessionDescription {
  /** Paths in the options that may contain the session's id. */
  readonly id: readonly string[];
  /** The method that retrieves the session again, and the key of the object in its result. */
  readonly again: string;
  readonly gives: string;
  /** The method that returns the session's actions, and the name of the action that returns the object. */
  readonly loads: string;
  readonly shows: string;
  /** The member that is true if the page may continue, once all elements are complete; null if there is none. */
  readonly may: string | null;
  /** Kinds of elements, by the methods that create them. */
  readonly elements: Readonly<Record<string, string>>;
  readonly actions: Readonly<Record<string, MethodDescription>>;
}

/** The result of a method: `{[gives]: object}` or `{error}`. */
type Result = Values;
