// The place of a source pane. The browser loads the editor when the first pane is shown, so that the search
// is there sooner.

import { fill } from "../dom";
import { alert } from "../refusal";
import type { SourceOptions } from "./source";

/** Shows a pane below `head`, unless another call for the same place came meanwhile. */
export function showSource(place: HTMLElement, head: HTMLElement, options: SourceOptions): void {
  fill(place, head);
  import("./source").then(
    ({ sourcePane }) => {
      // The head stays in its place: an element that is put in again loses the focus.
      if (head.parentElement === place) place.append(sourcePane(options));
    },
    (error: unknown) => fill(place, alert(error)),
  );
}
