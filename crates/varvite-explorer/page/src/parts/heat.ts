// The margin with what a layer measured: a number and a bar for each line that has a value.

import { type Extension, RangeSet, type Text } from "@codemirror/state";
import { gutter, GutterMarker } from "@codemirror/view";
import type { Heat } from "../answers";
import { h } from "../dom";
import { exact, short } from "../numbers";

class HeatMarker extends GutterMarker {
  constructor(
    private readonly value: number,
    private readonly share: number,
    private readonly unit: string,
  ) {
    super();
  }

  override toDOM(): HTMLElement {
    const marker = h(
      "span",
      { class: "heat", title: `${exact(this.value)} ${this.unit}` },
      short(this.value),
    );
    marker.style.setProperty("--share", `${Math.round(this.share * 100)}%`);
    return marker;
  }
}

/** The margin of a source `text` whose first line has the number `firstLine`. Its marks are made once. */
export function heatGutter(heat: Heat, firstLine: number, text: Text): Extension {
  const largest = Math.max(1, ...Object.values(heat.lines));
  const ranges = Object.entries(heat.lines).flatMap(([line, value]) => {
    const number = Number(line) - firstLine + 1;
    if (number < 1 || number > text.lines) return [];
    const share = Math.log1p(value) / Math.log1p(largest);
    return [new HeatMarker(value, share, heat.unit).range(text.line(number).from)];
  });
  const marks = RangeSet.of(ranges, true);
  return gutter({ class: "heat-gutter", markers: () => marks });
}
