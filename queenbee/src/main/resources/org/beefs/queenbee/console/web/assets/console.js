"use strict";
(() => {
  // Buttons with a question ask it; without scripts they just do what they say.
  document.addEventListener("submit", event => {
    const question = event.target.dataset.confirm;
    if (question && !window.confirm(question)) event.preventDefault();
  });

  // As the timeout of a refresh is, see Layout: without one, a request on a connection that has died keeps up those after it.
  const PATIENCE = 20000;

  // Canvases know no light-dark().
  const resolved = name => {
    const probe = document.createElement("span");
    probe.style.color = `var(${name})`;
    document.body.append(probe);
    const value = getComputedStyle(probe).color;
    probe.remove();
    return value;
  };

  // When nothing was asked nothing took any time.
  const millis = (sample, micros) => sample.slowMicros === 0 ? null : micros / 1000;
  const charts = [
    { id: "chart-operations", series: [["a second", s => s.operationsPerSecond]] },
    { id: "chart-latency", series: [["half within ms", s => millis(s, s.medianMicros)], ["99 of 100 within ms", s => millis(s, s.slowMicros)]] },
    { id: "chart-traffic", series: [["MiB a second", s => s.traffic / 1048576], ["copied", s => s.copyRate / 1048576]] }
  ];
  const drawn = new Map();

  async function draw() {
    if (!document.getElementById("charts")) return;
    const response = await fetch("/api/v1/history", { headers: { "X-Beefs-Refresh": "1" }, signal: AbortSignal.timeout(PATIENCE) }).catch(() => undefined);
    if (!response?.ok) return;
    const samples = (await response.json()).samples;
    for (const chart of charts) {
      const data = [samples.map(s => s.time), ...chart.series.map(([, figureOf]) => samples.map(figureOf))];
      if (drawn.has(chart.id)) drawn.get(chart.id).setData(data);
      else drawn.set(chart.id, make(chart, data));
      showLatest(drawn.get(chart.id));
    }
  }

  // While nobody points at a moment the legend shows the latest one.
  const showLatest = plot => { if (plot.cursor.idx == null && plot.data[0].length > 0) plot.setLegend({ idx: plot.data[0].length - 1 }); };
  // UTC, as all times of the console.
  const clockTime = seconds => new Date(seconds * 1000).toISOString().slice(11, 19);
  const figure = value => value == null ? "-" : value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 0 });

  function make(chart, data) {
    const place = document.getElementById(chart.id);
    const style = getComputedStyle(place);
    const axis = { font: `12px ${style.fontFamily}`, stroke: resolved("--faint"), grid: { stroke: resolved("--line"), width: 1 } };
    const strokes = [resolved("--accent"), resolved("--bad")];
    const width = () => Math.max(200, place.clientWidth);
    const plot = new uPlot({
      width: width(), height: 180, scales: { y: { range: (u, low, high) => [0, Math.max(high, 1) * 1.1] } },
      axes: [{ ...axis, space: 80, size: 30, values: (u, times) => times.map(clockTime) }, { ...axis, size: 60 }],
      series: [
        { label: "At", value: (u, time) => time == null ? "" : clockTime(time) },
        ...chart.series.map(([label], i) => ({ label, stroke: strokes[i], width: 2, spanGaps: true, points: { show: false }, value: (u, value) => figure(value) }))
      ],
      hooks: { setCursor: [showLatest], destroy: [() => watch.disconnect()] }
    }, data, place);
    const watch = new ResizeObserver(() => plot.setSize({ width: width(), height: 180 }));
    watch.observe(place);
    return plot;
  }

  // What has the focus keeps it when the page is brought up to date, and tables that were moved aside stay so. htmx does the
  // former only for what has an id, and not for what it preserves where browsers cannot move that.
  const alike = (name, target) => [...document.querySelectorAll(`#live ${name}`)].filter(found => found.getAttribute("href") === target);
  const tables = () => [...document.querySelectorAll("#live .scroll")];
  let restore = () => {};
  document.addEventListener("htmx:beforeSwap", () => {
    const focused = document.activeElement;
    const { id, localName, selectionStart, selectionEnd } = focused;
    const target = focused.getAttribute("href");
    const place = alike(localName, target).indexOf(focused);
    const aside = tables().map(table => table.scrollLeft);
    restore = () => {
      const again = id ? document.getElementById(id) : alike(localName, target)[place];
      if (again && again !== document.activeElement) {
        again.focus({ preventScroll: true });
        if (selectionStart != null) again.setSelectionRange(selectionStart, selectionEnd);
      }
      tables().forEach((table, i) => { table.scrollLeft = aside[i] ?? 0; });
    };
  });
  document.addEventListener("htmx:afterSwap", () => restore());

  // A page that is open says so when the queen-bee is not heard, and when she cannot show it any more.
  let heard = true;
  let shown = true;
  const tell = () => { const note = document.getElementById("no-answer"); if (note) note.hidden = heard && shown; };
  document.addEventListener("htmx:responseError", event => { if (event.target.id === "live") { shown = false; tell(); } });
  document.addEventListener("htmx:afterSwap", () => { heard = shown = true; tell(); if (stream) awaitRefresh(); });

  const REOPENING = 2000;
  let stream;
  let silence;
  // A connection that is open tells nothing: her machine may have lost its power. Every 5 s there is a snapshot, and with it the
  // page is brought up to date, unless that fails.
  function awaitRefresh() {
    clearTimeout(silence);
    silence = setTimeout(() => { heard = false; tell(); listen(); }, PATIENCE);
  }
  const refresh = () => htmx.trigger(document.body, "snapshot");
  function listen() {
    if (document.hidden || !document.querySelector("#live[hx-get]")) return;
    if (stream) stream.close();
    const opened = stream = new EventSource("/stream");
    awaitRefresh();
    opened.addEventListener("snapshot", () => { refresh(); draw(); });
    opened.addEventListener("error", () => {
      setTimeout(() => { if (opened === stream && opened.readyState !== EventSource.OPEN) { heard = false; tell(); } }, REOPENING);
      // Something else answered: the session may be over, which the page finds out. The browser does not try again by itself.
      if (opened.readyState === EventSource.CLOSED) refresh();
    });
  }
  // A page that nobody sees asks for nothing: browsers have six connections with a host, and each stream takes one.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) return listen();
    clearTimeout(silence);
    if (stream) stream.close();
    stream = undefined;
  });
  document.addEventListener("DOMContentLoaded", () => { draw(); listen(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    drawn.forEach(plot => plot.destroy());
    drawn.clear();
    draw();
  });
})();
