// What TypeScript cannot see in the scripts of the pages, such as fields that are set from elsewhere.

interface Window {
  viewer: unknown;
  puzzles: unknown;
  published: any;
}

// The page of an event: live pages have games of the server's, published ones more tables.
type ToldEvent = EventView & Partial<Pick<PublishedEvent, "by_board" | "history">>;

// Values that are there or missing as a whole.
type ListedEvent = EventSummary & Partial<EventState>;
type ListedGame = GameRow & Partial<Summary>;

interface Element {
  getScreenCTM(): DOMMatrix;
  focus(options?: FocusOptions): void;
  // Numbers and truth values are written as text.
  setAttribute(name: string, value: unknown): void;
}

interface EventTarget {
  tagName: string;
}

interface Event {
  pointerId: number;
}

interface Stream {
  address: string;
  handlers: Record<string, Function>;
  seat: string | null;
  game: string | null;
}

interface AmazonsParts {
  help: HTMLDialogElement;
}

interface AmazonsViewer {
  runningClock: () => string | null;
  hints: { moves: string[]; win: number }[];
  patience: number;
}

interface AmazonsZoom {
  zoom: number;
  seen: number[];
  fingers: Map<number, { x: number; y: number }>;
  hasDragged: boolean;
}

// What a viewer or an editor adds to the parts that it is made of.
interface AmazonsChooser {
  game: any;
  ply: number;
  turn(): number;
  onmove: (text: string) => void;
  onchoice: () => void;
  onrefused: (text: string) => void;
}

interface AmazonsExplorer {
  isLive: boolean;
  reason: HTMLElement;
  mover(ply: number): number;
  play(move: object, ply: number): void;
  undo(move: object, ply: number): void;
  go(ply: number): void;
  stop(): void;
  show(): void;
  announce(): void;
  noteHash(): void;
  onposition: (text: string) => void;
}

interface AmazonsEditor {
  onchange: (text: string) => void;
}
