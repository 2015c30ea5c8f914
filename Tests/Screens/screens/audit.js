// What is wrong with the look of the open page: a list of sentences.
(() => {
  const faults = [];
  const fault = (part, text) => {
    const name = part.tagName.toLowerCase() + (part.id ? `#${part.id}` : "");
    const said = (part.textContent || part.value || "").trim().slice(0, 40);
    faults.push(`${name}.${part.getAttribute("class") || ""} "${said}": ${text}`);
  };
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width)
    faults.push(`the page is ${document.documentElement.scrollWidth} wide on a screen of ${width}`);

  const parse = (colour) => {
    const canvas = parse.canvas || (parse.canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true }));
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, under) => top.slice(0, 3).map((c, i) => c * top[3] + under[i] * (1 - top[3]));
  const behind = (part) => {
    const layers = [];
    for (let each = part; each; each = each.parentElement)
      layers.push(parse(getComputedStyle(each).backgroundColor));
    return layers.reverse().reduce((under, layer) => over(layer, under), [255, 255, 255]);
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const isSeen = (part) =>
    part.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !part.closest(".unseen, .skip, thead") ;
  const scrolls = (part) => part.closest(".pages ul");

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const parts = new Set();
  while (walker.nextNode())
    if (walker.currentNode.data.trim()) parts.add(walker.currentNode.parentElement);
  for (const part of parts) {
    if (!isSeen(part) || part.closest("script, style, title, option")) continue;
    const style = getComputedStyle(part);
    const svg = part.closest("svg");
    const ink = parse(svg ? style.fill : style.color);
    const paper = behind(svg ? svg.parentElement : part);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && parseInt(style.fontWeight) >= 700);
    const found = contrast(over(ink, paper), paper);
    if (!part.closest(":disabled") && found < (isLarge ? 3 : 4.5))
      fault(part, `contrast ${found.toFixed(2)}`);
    const range = document.createRange();
    range.selectNodeContents(part);
    const box = range.getBoundingClientRect();
    if (box.right > width + 1 && !scrolls(part)) fault(part, `ends at ${box.right}, beyond ${width}`);
    if (part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0 &&
        getComputedStyle(part).overflowX !== "visible" && !scrolls(part))
      fault(part, `text of ${part.scrollWidth} in ${part.clientWidth}`);
  }

  for (const part of document.querySelectorAll("a[href], button, input, select, textarea, summary")) {
    if (!isSeen(part) || part.type === "hidden") continue;
    const box = part.getBoundingClientRect();
    const isInText = getComputedStyle(part).display === "inline";
    if (!isInText && (box.width < 24 || box.height < 24))
      fault(part, `a target of ${box.width} by ${box.height}`);
  }
  const count = (selector) => document.querySelectorAll(selector).length;
  if (count("main") !== 1) faults.push(`${count("main")} main landmarks`);
  if (count("h1") !== 1) faults.push(`${count("h1")} main headings`);
  let level = 0;
  for (const part of document.querySelectorAll("h1, h2, h3, h4")) {
    const next = Number(part.tagName[1]);
    if (next > level + 1) fault(part, `a heading of level ${next} after one of level ${level}`);
    level = next;
  }
  const ids = [...document.querySelectorAll("[id]")].map((part) => part.id);
  for (const id of ids.filter((id, index) => ids.indexOf(id) !== index)) faults.push(`two ids ${id}`);
  for (const part of document.querySelectorAll("[aria-describedby], [aria-labelledby], label[for]"))
    for (const name of ["aria-describedby", "aria-labelledby", "for"])
      for (const id of (part.getAttribute(name) || "").split(" ").filter(Boolean))
        if (!document.getElementById(id)) fault(part, `${name} names ${id}, which is not there`);
  if (!document.documentElement.lang) faults.push("the page has no language");
  if (document.querySelector("[style], script:not([src])")) faults.push("inline style or script");
  return faults;
})()
