// Puts what changes into the open page. Without it every page can be read and every form works.
"use strict";

// Forms and reloads leave scroll position, focus and folds where they are.
const place = (() => {
  const key = "homeport-place";
  // A form that was refused is shown at its own address, and is still a part of its page.
  const here = () => {
    const path = document.body.dataset.path ?? location.pathname;
    return path === location.pathname ? path + location.search : path;
  };
  const name = (part) => {
    if (!part || part === document.body) return "";
    if (part.id) return `#${CSS.escape(part.id)}`;
    const target = part.getAttribute("formaction");
    if (target) return `[formaction="${CSS.escape(target)}"]`;
    const form = part.closest("form[action]");
    return form ? `form[action="${CSS.escape(form.getAttribute("action"))}"] button` : "";
  };
  const folds = () => [...document.querySelectorAll("details[id]")];

  const keep = (part) => {
    const state = {
      here: here(), y: scrollY, focus: name(part ?? document.activeElement), at: Date.now(),
      folds: folds().map((fold) => [fold.id, fold.open]),
      zoom: document.querySelector("input[name=zoom]:checked")?.id,
    };
    // A browser that stores nothing loses its place, and nothing else.
    try { sessionStorage.setItem(key, JSON.stringify(state)); } catch {}
  };

  const take = () => {
    try {
      const state = JSON.parse(sessionStorage.getItem(key));
      sessionStorage.removeItem(key);
      return state && state.here === here() && Date.now() - state.at < 30000 ? state : null;
    } catch { return null; }
  };

  const restore = () => {
    const state = take();
    if (!state) return;
    // The fragment is for browsers without a script: it would scroll once more.
    history.replaceState(null, "", here());
    for (const fold of folds()) {
      const former = state.folds.find(([id]) => id === fold.id);
      if (former && !fold.querySelector("[aria-invalid]")) fold.open = former[1];
    }
    const zoom = state.zoom && document.getElementById(state.zoom);
    if (zoom) zoom.checked = true;
    const back = () => scrollTo({ top: state.y, behavior: "instant" });
    back();
    addEventListener("load", back, { once: true });
    if (state.focus) document.querySelector(state.focus)?.focus({ preventScroll: true });
  };
  return { keep, restore };
})();

(() => {
  const source = document.body.dataset.events;
  if (!source || !window.EventSource) return;
  const link = document.getElementById("live-link");
  // The server gives a sign every 2 s; after three that did not come it is taken for gone.
  const patience = 7000;
  let events = null;
  let heardAt = Date.now();

  // A form in use, an open menu and a selection are left alone until they are not in use any more.
  const isInUse = (part) =>
    part.contains(document.activeElement) &&
    document.activeElement.matches("input, select, textarea");

  const replace = (id, markup) => {
    const part = document.getElementById(id);
    if (!part || !part.hasAttribute("data-live")) return;
    if (isInUse(part)) {
      part.addEventListener("focusout", () => replace(id, markup), { once: true });
      return;
    }
    const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
    const folds = [...part.querySelectorAll("details[id]")].map((each) => [each.id, each.open]);
    const template = document.createElement("template");
    template.innerHTML = markup;
    part.replaceChildren(template.content);
    for (const [fold, open] of folds) {
      const each = document.getElementById(fold);
      if (each) each.open = open;
    }
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  };

  // What came of the last form stands in sight, and goes on with its command.
  const follow = () => {
    const said = document.querySelector("[data-follows]");
    const command = said && document.getElementById(said.dataset.follows);
    if (command && said.textContent !== command.dataset.standing)
      said.textContent = command.dataset.standing;
  };

  const show = (state) => {
    document.body.dataset.live = state;
    if (!link) return;
    const minutes = Math.floor((Date.now() - heardAt) / 60000);
    const age = minutes < 1 ? link.dataset.moment : `${minutes} ${link.dataset.minutes}`;
    const text = state === "on" ? "" : `${link.dataset.off} (${age})`;
    if (link.textContent !== text) link.textContent = text;
  };

  const heard = () => {
    heardAt = Date.now();
    show("on");
  };

  // Whoever was signed out meanwhile is shown the way in.
  const refused = async () => {
    try {
      const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" });
      if (answer.status === 401) location.reload();
    } catch {}
  };

  const listen = () => {
    if (events) return;
    events = new EventSource(source);
    events.addEventListener("open", heard);
    events.addEventListener("beat", heard);
    // The browser connects again by itself and says what it has seen last.
    events.addEventListener("error", () => {
      show("off");
      if (events && events.readyState === EventSource.CLOSED) {
        events = null;
        refused();
        setTimeout(listen, 5000);
      }
    });
    events.addEventListener("parts", (event) => {
      heard();
      const parts = JSON.parse(event.data);
      for (const id of Object.keys(parts)) replace(id, parts[id]);
      follow();
    });
    // The page has become another one: a device was removed, or has a form that it had not.
    events.addEventListener("reload", () => {
      place.keep();
      location.reload();
    });
  };

  const stop = () => {
    events?.close();
    events = null;
  };

  // A server that hangs keeps its connections open: only its silence tells.
  setInterval(() => {
    if (Date.now() - heardAt < patience) return;
    show("off");
    if (events?.readyState === EventSource.OPEN) {
      stop();
      listen();
    }
  }, 1000);

  // A page in the back-forward cache holds no connection, and catches up when it is shown again.
  addEventListener("pagehide", stop);
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
  listen();
})();

(() => {
  for (const form of document.querySelectorAll("form[method=post]")) {
    form.addEventListener("submit", (event) => {
      if (!("leaves" in form.dataset)) place.keep(event.submitter);
      // One click, one command.
      setTimeout(() => {
        for (const each of form.elements) if (each.type === "submit") each.disabled = true;
      });
    });
  }
  document.querySelector(".flash .dismiss")?.addEventListener("click", (event) => {
    event.preventDefault();
    event.target.closest(".flash").remove();
  });
  place.restore();
})();

(() => {
  // Rooms are chosen on the drawing, too: a click on one changes its check box.
  const box = (room) =>
    document.querySelector(`input[name="argument-rooms"][value="${CSS.escape(room.dataset.room)}"]`);
  const rooms = [...document.querySelectorAll(".floor .room")].filter(box);
  const show = () => {
    for (const room of rooms) room.classList.toggle("chosen", box(room).checked);
  };
  for (const room of rooms) {
    room.classList.add("choosable");
    room.addEventListener("click", () => box(room).click());
  }
  document.addEventListener("change", show);
  show();
})();

(() => {
  // The values of a chart under the pointer, or where the arrow keys are, stand in its legend.
  for (const figure of document.querySelectorAll("figure[data-columns]")) {
    const columns = figure.dataset.columns.split("\n").filter(Boolean).map((line) => line.split("\t"));
    if (columns.length === 0) continue;
    const canvas = figure.querySelector(".canvas");
    const values = [...figure.querySelectorAll("[data-value]")];
    let shown = columns.length - 1;
    const show = (index, isPointed) => {
      shown = Math.min(Math.max(index, 0), columns.length - 1);
      const [place, moment, ...texts] = columns[shown];
      canvas.classList.toggle("pointed", isPointed);
      canvas.querySelector(".cursor").style.left = `${place / 10}%`;
      figure.querySelector("[data-at]").textContent = moment;
      values.forEach((value, number) => (value.textContent = texts[number]));
    };
    const point = (event) => {
      const box = canvas.getBoundingClientRect();
      const place = ((event.clientX - box.left) / box.width) * 1000;
      const far = (column) => Math.abs(column[0] - place);
      let nearest = 0;
      columns.forEach((column, index) => {
        if (far(column) < far(columns[nearest])) nearest = index;
      });
      show(nearest, true);
    };
    const leave = () => show(columns.length - 1, false);
    canvas.tabIndex = 0;
    canvas.addEventListener("pointermove", point);
    canvas.addEventListener("pointerdown", point);
    canvas.addEventListener("pointerleave", leave);
    canvas.addEventListener("blur", leave);
    canvas.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      show(shown + step, true);
    });
  }
})();

(() => {
  // The value of a device's chart under the pointer, read from its drawing, in the place of the newest one. Charts are
  // replaced as samples come, so the page hears for all of them.
  const number = (text) => Number(text);
  const points = (plot) => [...plot.querySelectorAll(".stroke")].flatMap((stroke) =>
    stroke.getAttribute("d").slice(1).split("L").map((point) => point.split(" ").map(number)));

  const text = (figure, value) => {
    const { unit, decimals } = figure.dataset;
    const isLarge = unit === " W" && Math.abs(value) >= 1000;
    const digits = unit === " W" ? (isLarge ? 2 : 0) : number(decimals);
    const shown = (isLarge ? value / 1000 : value).toLocaleString("en-US", { maximumFractionDigits: digits });
    return shown.replace("-", "−") + (isLarge ? " kW" : unit);
  };

  const figureOf = (event) => event.target.closest?.(".chart[data-low] .plot")?.closest("figure");

  const point = (event) => {
    const figure = figureOf(event);
    if (!figure) return;
    const plot = figure.querySelector(".plot");
    const box = plot.getBoundingClientRect();
    const place = ((event.clientX - box.left) / box.width) * 600;
    const all = points(plot);
    if (all.length === 0) return;
    const [x, y] = all.reduce((best, each) => (Math.abs(each[0] - place) < Math.abs(best[0] - place) ? each : best));
    const { start, length, low, high } = figure.dataset;
    const value = number(low) + (1 - (y - 2) / 116) * (high - low);
    const moment = new Date(number(start) + (x / 600) * length).toISOString();
    const strong = figure.querySelector("strong");
    strong.dataset.newest ??= strong.textContent;
    strong.textContent = `${length > 4e6 ? moment.slice(5, 16).replace("T", " ") : moment.slice(11, 19)} · ${text(figure, value)}`;
  };

  document.addEventListener("pointermove", point);
  document.addEventListener("pointerdown", point);
  document.addEventListener("pointerout", (event) => {
    const strong = figureOf(event)?.querySelector("strong");
    if (strong?.dataset.newest !== undefined) strong.textContent = strong.dataset.newest;
  });
})();

(() => {
  // The QR code of a boxed device by the camera, where the browser itself can read one.
  const camera = document.getElementById("camera");
  if (!camera) return;
  const [button, video, status] = ["button", "video", "[role=status]"].map((each) => camera.querySelector(each));
  const field = document.getElementById("code");
  const say = (what) => (status.textContent = camera.dataset[what]);

  const canRead = async () => {
    if (!window.BarcodeDetector || !navigator.mediaDevices) return false;
    return (await BarcodeDetector.getSupportedFormats()).includes("qr_code");
  };

  const read = async (stream) => {
    const detector = new BarcodeDetector({ formats: ["qr_code"] });
    video.srcObject = stream;
    video.hidden = false;
    await video.play();
    say("looking");
    while (stream.active) {
      const [code] = await detector.detect(video);
      if (code) return code.rawValue;
      await new Promise((done) => setTimeout(done, 200));
    }
    return null;
  };

  const start = async () => {
    let stream = null;
    button.disabled = true;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      const text = await read(stream);
      if (text === null) return;
      field.value = text;
      say("found");
      field.form.requestSubmit();
    } catch (error) {
      say(error.name === "NotAllowedError" ? "refused" : "none");
    } finally {
      for (const track of stream?.getTracks() ?? []) track.stop();
      video.hidden = true;
      button.disabled = false;
    }
  };

  canRead().then((can) => {
    if (!can) return;
    button.hidden = false;
    status.textContent = "";
    button.addEventListener("click", start);
  });
})();

(() => {
  // What rules tell is shown by the browser where its user allows it, once in all of its pages.
  const told = document.getElementById("told");
  if (!told || !window.Notification) return;
  const key = "homeport-told";
  const newest = () => Math.max(0, ...[...told.children].map((each) => Number(each.dataset.at)));
  const seen = () => { try { return Number(localStorage.getItem(key)); } catch { return Infinity; } };
  const keep = (at) => { try { localStorage.setItem(key, at); } catch {} };
  if (!seen()) keep(Math.max(newest(), 1));

  const show = () => {
    const before = seen();
    keep(Math.max(newest(), before));
    if (Notification.permission !== "granted") return;
    for (const each of told.children) {
      if (Number(each.dataset.at) <= before) continue;
      // Some browsers of phones let only installed apps notify.
      try { new Notification(document.title, { body: each.textContent, tag: each.dataset.at }); } catch {}
    }
  };
  new MutationObserver(show).observe(told, { childList: true });
  show();

  const card = document.getElementById("notifications");
  if (!card) return;
  const [button, status] = ["button", "[role=status]"].map((each) => card.querySelector(each));
  const say = () => {
    button.hidden = Notification.permission !== "default";
    status.textContent =
      { granted: card.dataset.on, denied: card.dataset.refused }[Notification.permission] ?? "";
  };
  card.hidden = false;
  button.addEventListener("click", () => Notification.requestPermission().then(say));
  say();
})();
