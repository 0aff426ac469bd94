"use strict";
// Makes each flame graph of a page answer clicks and searches. Without this script the drawing is whole, and the
// controls are hidden.
for (const figure of document.querySelectorAll(".flame")) {
  const frames = Array.from(figure.querySelectorAll("g"), (group) => {
    const [rect, text] = [group.querySelector("rect"), group.querySelector("text")];
    const number = (name) => Number(rect.getAttribute(name));
    const title = group.querySelector("title").textContent;
    const name = title.replace(/: [\d,.]+ [a-z0-9_ ]+ \([\d.]+ %\), [\d,.]+ itself$/, "");
    return { group, rect, text, name, left: number("x"), width: number("width"), top: number("y") };
  });
  const whole = { left: 10, width: 1180, top: Infinity };
  function show(wanted) {
    const scale = 1180 / wanted.width;
    for (const frame of frames) {
      const isAbove = frame.top > wanted.top;
      const left = isAbove ? 10 : 10 + (frame.left - wanted.left) * scale;
      const width = isAbove ? 1180 : frame.width * scale;
      const middle = frame.left + frame.width / 2;
      const isSeen = isAbove
        ? frame.left <= wanted.left + 0.01 && frame.left + frame.width >= wanted.left + wanted.width - 0.01
        : middle > wanted.left && middle < wanted.left + wanted.width;
      frame.group.style.display = isSeen ? "" : "none";
      frame.group.classList.toggle("above", isAbove);
      frame.rect.setAttribute("x", left);
      frame.rect.setAttribute("width", width);
      write(frame, left, Math.floor((width - 6) / 7));
    }
  }
  // The part of a name for which there is room. A frame without room has no element for its text.
  function write(frame, left, room) {
    if (room < 3) {
      if (frame.text !== null) frame.text.textContent = "";
      return;
    }
    if (frame.text === null) {
      frame.text = document.createElementNS("http://www.w3.org/2000/svg", "text");
      frame.text.setAttribute("y", frame.top + 12);
      frame.group.append(frame.text);
    }
    frame.text.setAttribute("x", left + 3);
    frame.text.textContent = frame.name.length <= room ? frame.name : frame.name.slice(0, room - 2) + "..";
  }
  for (const frame of frames) {
    frame.group.addEventListener("click", () => show(frame));
  }
  const [word, matchCase, matched] = ["word", "case", "matched"].map((name) => figure.querySelector("." + name));
  // Frames whose names match, and how wide they are together: one that stands on another that matches counts with it.
  function mark() {
    let pattern = null;
    try {
      pattern = word.value === "" ? null : new RegExp(word.value, matchCase.checked ? "u" : "iu");
    } catch {
      matched.textContent = "no regular expression";
      return;
    }
    const found = frames.filter((frame) => pattern !== null && pattern.test(frame.name));
    const marked = new Set(found);
    frames.forEach((frame) => frame.group.classList.toggle("found", marked.has(frame)));
    let [sum, end] = [0, 0];
    for (const frame of found.sort((one, other) => one.left - other.left || other.width - one.width)) {
      if (frame.left + frame.width > end + 0.005) {
        sum += frame.left + frame.width - Math.max(frame.left, end);
        end = frame.left + frame.width;
      }
    }
    // Frames that the drawing lacks may match too.
    const least = figure.querySelector(".omitted") === null ? "" : "at least ";
    matched.textContent = pattern === null ? "" : `matched ${least}${(100 * sum / whole.width).toFixed(1)} %`;
  }
  figure.querySelector(".all").addEventListener("click", () => show(whole));
  word.addEventListener("input", mark);
  matchCase.addEventListener("change", mark);
  figure.querySelector(".controls").hidden = false;
}
