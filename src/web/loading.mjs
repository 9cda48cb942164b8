// Shows how far the program has come while it loads, and says so if it does not come at all.
export default function loading() {
  const bar = document.getElementById("progress");
  const failed = () => {
    bar?.remove();
    document.getElementById("load-failed")?.removeAttribute("hidden");
  };
  return {
    onStart: () => {},
    onProgress: ({ current, total }) => {
      if (bar && total > 0) {
        bar.max = total;
        bar.value = current;
      }
    },
    onComplete: () => {},
    onSuccess: () => {},
    onFailure: failed,
  };
}
