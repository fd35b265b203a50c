// What TypeScript cannot see in the scripts of the pages, such as fields that are set from elsewhere.

interface Window {
  viewer: unknown;
}

interface Element {
  getScreenCTM(): DOMMatrix;
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
  patience: number;
}

interface AmazonsAnalysis {
  // What a page does with it is set from there.
  look(ply: number, moves: string[]): void;
}

interface PlayBoard {
  onmove: (text: string) => void;
  onchoice: () => void;
  onrefused: (text: string) => void;
}
