"use strict";
(() => {
  // Buttons with a question ask it; without scripts they just do what they say.
  document.addEventListener("submit", event => {
    const question = event.target.dataset.confirm;
    if (question && !window.confirm(question)) event.preventDefault();
  });

  // Canvases know no light-dark().
  const resolved = name => {
    const probe = document.createElement("span");
    probe.style.color = `var(${name})`;
    document.body.append(probe);
    const value = getComputedStyle(probe).color;
    probe.remove();
    return value;
  };

  const charts = [
    { id: "chart-operations", series: [["operations/s", "operationsPerSecond", 1]] },
    { id: "chart-latency", series: [["half, ms", "medianMicros", 1000], ["99 of 100, ms", "slowMicros", 1000]] },
    { id: "chart-copies", series: [["MiB/s copied", "copyRate", 1048576]] }
  ];
  const drawn = new Map();

  async function draw() {
    if (!document.getElementById("charts")) return;
    const response = await fetch("/api/v1/history", { headers: { "X-Beefs-Refresh": "1" } });
    if (!response.ok) return;
    const samples = (await response.json()).samples;
    for (const chart of charts) {
      const data = [samples.map(s => s.time), ...chart.series.map(([, key, unit]) => samples.map(s => s[key] / unit))];
      if (drawn.has(chart.id)) drawn.get(chart.id).setData(data);
      else drawn.set(chart.id, make(chart, data));
    }
  }

  function make(chart, data) {
    const place = document.getElementById(chart.id);
    const axis = { stroke: resolved("--faint"), grid: { stroke: resolved("--line"), width: 1 } };
    const strokes = [resolved("--accent"), resolved("--bad")];
    const width = () => Math.max(200, place.clientWidth);
    const plot = new uPlot({
      width: width(), height: 180, axes: [axis, { ...axis, size: 60 }], scales: { y: { range: (u, low, high) => [0, Math.max(high, 1) * 1.1] } },
      series: [{}, ...chart.series.map(([label], i) => ({ label, stroke: strokes[i], width: 2 }))]
    }, data, place);
    new ResizeObserver(() => plot.setSize({ width: width(), height: 180 })).observe(place);
    return plot;
  }

  // A link keeps the focus when the page is brought up to date, as htmx sees to it for all that has an id.
  const linksTo = target => [...document.querySelectorAll("#live a[href]")].filter(a => a.getAttribute("href") === target);
  let focused;
  document.addEventListener("htmx:beforeSwap", () => {
    const link = document.activeElement.closest("#live a[href]");
    const target = link && link.getAttribute("href");
    focused = link && { target, place: linksTo(target).indexOf(link) };
  });
  document.addEventListener("htmx:afterSwap", () => {
    const link = focused && linksTo(focused.target)[focused.place];
    if (link) link.focus({ preventScroll: true });
  });

  const PATIENCE = 2000;
  const AGAIN = 30000;
  let stream;
  const refresh = () => htmx.trigger(document.body, "snapshot");
  function listen() {
    if (!document.querySelector("#live[hx-get]")) return;
    if (stream) stream.close();
    const opened = stream = new EventSource("/stream");
    const isOpen = () => opened.readyState === EventSource.OPEN;
    opened.addEventListener("snapshot", () => { refresh(); draw(); });
    opened.addEventListener("open", () => { document.getElementById("no-answer").hidden = true; });
    opened.addEventListener("error", () => {
      setTimeout(() => { if (opened === stream) document.getElementById("no-answer").hidden = isOpen(); }, PATIENCE);
      // The browser does not try again by itself when something else answered: the session may be over, which the page finds out.
      if (opened.readyState === EventSource.CLOSED) {
        refresh();
        setTimeout(() => { if (opened === stream) listen(); }, AGAIN);
      }
    });
  }
  // A page that nobody sees asks for nothing.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { if (stream) stream.close(); stream = undefined; } else listen();
  });
  document.addEventListener("DOMContentLoaded", () => { draw(); listen(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    drawn.forEach(plot => plot.destroy());
    drawn.clear();
    draw();
  });
})();
