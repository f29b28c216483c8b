// Programs of rows 25 and 26, as one writes them in C++: the value, and the gradient by hand, or by dual numbers where it is of
// second order. Built and called by peers.py: each array comes with its shape.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

using std::vector;

// ---- k-means: the squared distance of each point from the nearest centre ---------------------------------------------------

static long nearest(const double* x, const double* centres, long k, long d, double& least) {
    long best = 0;
    least = INFINITY;
    for (long j = 0; j < k; j++) {
        double far = 0;
        for (long a = 0; a < d; a++) {
            double t = x[a] - centres[j * d + a];
            far += t * t;
        }
        if (far < least) least = far, best = j;
    }
    return best;
}

extern "C" double kmeans_value(const double* centres, long k, long d, const double* x, long n, long) {
    double total = 0, least;
    for (long i = 0; i < n; i++) {
        nearest(x + i * d, centres, k, d, least);
        total += least;
    }
    return total;
}

extern "C" double kmeans_gradient(const double* centres, long k, long d, const double* x, long n, long, double* bar) {
    std::fill(bar, bar + k * d, 0.0);
    double total = 0, least;
    for (long i = 0; i < n; i++) {
        long j = nearest(x + i * d, centres, k, d, least);
        total += least;
        for (long a = 0; a < d; a++) bar[j * d + a] -= 2 * (x[i * d + a] - centres[j * d + a]);
    }
    return total;
}

// ---- a Gaussian mixture, whose triangles are packed by columns -------------------------------------------------------------

struct Mixture {
    const double *weights, *means, *packed, *x;
    long k, d, rows, n;
    vector<double> scale, logs;                                // exp of each diagonal, and the constant of each component

    Mixture(const double* w, long k, const double* m, long d, const double* p, long rows, const double* x, long n)
        : weights(w), means(m), packed(p), x(x), k(k), d(d), rows(rows), n(n), scale(k * d), logs(k) {
        for (long j = 0; j < k; j++) {
            logs[j] = w[j];
            for (long a = 0; a < d; a++) scale[j * d + a] = std::exp(p[j * rows + a]), logs[j] += p[j * rows + a];
        }
    }

    double exponent(long i, long j, double* t, double* q) const {
        for (long a = 0; a < d; a++) t[a] = x[i * d + a] - means[j * d + a], q[a] = scale[j * d + a] * t[a];
        const double* l = packed + j * rows + d;
        for (long a = 0; a < d; a++)
            for (long b = a + 1; b < d; b++) q[b] += *l++ * t[a];
        double square = 0;
        for (long a = 0; a < d; a++) square += q[a] * q[a];
        return logs[j] - 0.5 * square;
    }

    // What is subtracted from the likelihood for the weights, and what belongs to the triangles.
    double rest() const {
        double top = *std::max_element(weights, weights + k), sum = 0, prior = 0;
        for (long j = 0; j < k; j++) sum += std::exp(weights[j] - top);
        for (long j = 0; j < k; j++) {
            for (long a = 0; a < d; a++) prior += 0.5 * scale[j * d + a] * scale[j * d + a] - packed[j * rows + a];
            for (long c = d; c < rows; c++) prior += 0.5 * packed[j * rows + c] * packed[j * rows + c];
        }
        return -n * (top + std::log(sum)) - prior;
    }
};

static double log_sum(const vector<double>& e) {
    double top = *std::max_element(e.begin(), e.end()), sum = 0;
    for (double one : e) sum += std::exp(one - top);
    return top + std::log(sum);
}

extern "C" double mixture_value(const double* w, long k, const double* m, long, long d, const double* p, long, long rows,
                                const double* x, long n, long) {
    Mixture mix(w, k, m, d, p, rows, x, n);
    vector<double> t(d), q(d), e(k);
    double total = mix.rest();
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < k; j++) e[j] = mix.exponent(i, j, t.data(), q.data());
        total += log_sum(e);
    }
    return total;
}

extern "C" double mixture_gradient(const double* w, long k, const double* m, long, long d, const double* p, long, long rows,
                                   const double* x, long n, long, double* w_bar, double* m_bar, double* p_bar) {
    Mixture mix(w, k, m, d, p, rows, x, n);
    vector<double> t(k * d), q(k * d), e(k), t_bar(d);
    double total = mix.rest(), all = log_sum(vector<double>(w, w + k));
    for (long j = 0; j < k; j++) {
        w_bar[j] = -n * std::exp(w[j] - all);
        for (long a = 0; a < d; a++) m_bar[j * d + a] = 0, p_bar[j * rows + a] = 1 - mix.scale[j * d + a] * mix.scale[j * d + a];
        for (long c = d; c < rows; c++) p_bar[j * rows + c] = -p[j * rows + c];
    }
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < k; j++) e[j] = mix.exponent(i, j, &t[j * d], &q[j * d]);
        double sum = log_sum(e);
        total += sum;
        for (long j = 0; j < k; j++) {
            double share = std::exp(e[j] - sum), *tj = &t[j * d], *qj = &q[j * d];
            const double* l = p + j * rows + d;
            double* l_bar = p_bar + j * rows + d;
            w_bar[j] += share;
            for (long a = 0; a < d; a++) {
                double q_bar = -share * qj[a], s = mix.scale[j * d + a];
                p_bar[j * rows + a] += share + q_bar * s * tj[a];
                t_bar[a] = q_bar * s;
            }
            for (long a = 0; a < d; a++)
                for (long b = a + 1; b < d; b++, l++, l_bar++) {
                    t_bar[a] -= share * qj[b] * *l;
                    *l_bar -= share * qj[b] * tj[a];
                }
            for (long a = 0; a < d; a++) m_bar[j * d + a] -= t_bar[a];
        }
    }
    return total;
}

// ---- an orbit by Runge and Kutta -------------------------------------------------------------------------------------------

using State = std::array<double, 4>;

static State slope(const State& y, const double* p) {
    double r2 = y[0] * y[0] + y[1] * y[1], r3 = r2 * std::sqrt(r2);
    return {y[2], y[3], -p[0] * y[0] / r3 - p[1] * y[2], -p[0] * y[1] / r3 - p[1] * y[3]};
}

static void slope_back(const State& y, const double* p, const State& k, State& y_bar, double* p_bar) {
    double r2 = y[0] * y[0] + y[1] * y[1], r3 = r2 * std::sqrt(r2), along = k[2] * y[0] + k[3] * y[1];
    y_bar[0] += p[0] * (3 * along * y[0] / r2 - k[2]) / r3;
    y_bar[1] += p[0] * (3 * along * y[1] / r2 - k[3]) / r3;
    y_bar[2] += k[0] - p[1] * k[2];
    y_bar[3] += k[1] - p[1] * k[3];
    p_bar[0] -= along / r3;
    p_bar[1] -= k[2] * y[2] + k[3] * y[3];
}

static State moved(const State& y, double h, const State& k) {
    return {y[0] + h * k[0], y[1] + h * k[1], y[2] + h * k[2], y[3] + h * k[3]};
}

// The states at which slopes are taken, and what comes after them.
static State step(const State& y, const double* p, double h, State at[4]) {
    at[0] = y;
    State k1 = slope(y, p);
    at[1] = moved(y, 0.5 * h, k1);
    State k2 = slope(at[1], p);
    at[2] = moved(y, 0.5 * h, k2);
    State k3 = slope(at[2], p);
    at[3] = moved(y, h, k3);
    State k4 = slope(at[3], p), next;
    for (int a = 0; a < 4; a++) next[a] = y[a] + h / 6 * (k1[a] + 2 * k2[a] + 2 * k3[a] + k4[a]);
    return next;
}

extern "C" double orbit_value(const double* y0, long, const double* p, long, const double* seen, long steps, long, double h) {
    State y = {y0[0], y0[1], y0[2], y0[3]}, at[4];
    double total = 0;
    for (long n = 0; n < steps; n++) {
        y = step(y, p, h, at);
        for (int a = 0; a < 4; a++) total += (y[a] - seen[4 * n + a]) * (y[a] - seen[4 * n + a]);
    }
    return total;
}

extern "C" double orbit_gradient(const double* y0, long, const double* p, long, const double* seen, long steps, long, double h,
                                 double* y0_bar, double* p_bar) {
    vector<State> ys(steps + 1);
    State at[4], bar = {};
    ys[0] = {y0[0], y0[1], y0[2], y0[3]};
    for (long n = 0; n < steps; n++) ys[n + 1] = step(ys[n], p, h, at);
    p_bar[0] = p_bar[1] = 0;
    const double weight[4] = {h / 6, h / 3, h / 3, h / 6}, to_next[4] = {0.5 * h, 0.5 * h, h, 0};
    for (long n = steps - 1; n >= 0; n--) {
        step(ys[n], p, h, at);
        for (int a = 0; a < 4; a++) bar[a] += 2 * (ys[n + 1][a] - seen[4 * n + a]);
        State y_bar = bar, later = {};
        for (int s = 3; s >= 0; s--) {                         // `later` is the cotangent of the state of the stage after this one
            State k_bar, at_bar = {};
            for (int a = 0; a < 4; a++) k_bar[a] = weight[s] * bar[a] + to_next[s] * later[a];
            slope_back(at[s], p, k_bar, at_bar, p_bar);
            for (int a = 0; a < 4; a++) y_bar[a] += at_bar[a];
            later = at_bar;
        }
        bar = y_bar;
    }
    std::copy(bar.begin(), bar.end(), y0_bar);
    return 0;
}

// ---- dual numbers of N directions, which may be of dual numbers ------------------------------------------------------------

template <class T, int N>
struct Dual {
    T v;
    T d[N] = {};
    Dual(double v = 0) : v(v) {}
};

// The body of a function whose result has this value, and in direction k this slope.
#define DUAL(VALUE, SLOPE) { Dual<T, N> r; r.v = VALUE; for (int k = 0; k < N; k++) r.d[k] = SLOPE; return r; }
using std::cos, std::sin, std::sqrt;
template <class T, int N> Dual<T, N> operator+(const Dual<T, N>& a, const Dual<T, N>& b) DUAL(a.v + b.v, a.d[k] + b.d[k])
template <class T, int N> Dual<T, N> operator-(const Dual<T, N>& a, const Dual<T, N>& b) DUAL(a.v - b.v, a.d[k] - b.d[k])
template <class T, int N> Dual<T, N> operator*(const Dual<T, N>& a, const Dual<T, N>& b)
    DUAL(a.v * b.v, a.d[k] * b.v + a.v * b.d[k])
template <class T, int N> Dual<T, N> operator/(const Dual<T, N>& a, const Dual<T, N>& b)
    DUAL(a.v / b.v, (a.d[k] - r.v * b.d[k]) / b.v)
template <class T, int N> Dual<T, N> operator*(double a, const Dual<T, N>& b) DUAL(a * b.v, a * b.d[k])
template <class T, int N> Dual<T, N> sqrt(const Dual<T, N>& a) DUAL(sqrt(a.v), 0.5 * a.d[k] / r.v)
template <class T, int N> Dual<T, N> cos(const Dual<T, N>& a);
template <class T, int N> Dual<T, N> sin(const Dual<T, N>& a) { T c = cos(a.v); DUAL(sin(a.v), c * a.d[k]) }
template <class T, int N> Dual<T, N> cos(const Dual<T, N>& a) { T c = -1.0 * sin(a.v); DUAL(cos(a.v), c * a.d[k]) }

static double plain(double a) { return a; }
template <class T, int N> static double plain(const Dual<T, N>& a) { return plain(a.v); }

// ---- the worst that an opponent can answer, who climbs by the slope of what is paid ----------------------------------------

const int SIDE = 4;

template <class T> static T paid(const T* x, const T* y) {
    T total = 0.0;
    for (int a = 0; a < SIDE; a++)
        total = total + 0.5 * x[a] * x[a] + x[a] * y[a] - 0.5 * y[a] * y[a] - 0.1 * y[a] * y[a] * y[a] * y[a] + sin(x[a] * y[a]);
    return total;
}

template <class T> static void climb_by_hand(const T* x, const T* y, T* slope) {
    for (int a = 0; a < SIDE; a++) slope[a] = x[a] - y[a] - 0.4 * y[a] * y[a] * y[a] + x[a] * cos(x[a] * y[a]);
}

template <class T> static void climb_forward(const T* x, const T* y, T* slope) {
    Dual<T, SIDE> x2[SIDE], y2[SIDE];
    for (int a = 0; a < SIDE; a++) x2[a].v = x[a], y2[a].v = y[a], y2[a].d[a] = T(1.0);
    std::copy_n(paid(x2, y2).d, SIDE, slope);
}

template <class T> static T worst(const T* x, long steps, bool forward) {
    T y[SIDE], slope[SIDE];
    for (T& one : y) one = T(0.0);
    for (long n = 0; n < steps; n++) {
        forward ? climb_forward(x, y, slope) : climb_by_hand(x, y, slope);
        for (int a = 0; a < SIDE; a++) y[a] = y[a] + 0.1 * slope[a];
    }
    return paid(x, y);
}

static double worst_gradient(const double* x, long steps, double* bar, bool forward) {
    Dual<double, SIDE> x2[SIDE];
    for (int a = 0; a < SIDE; a++) x2[a].v = x[a], x2[a].d[a] = 1;
    auto result = worst(x2, steps, forward);
    std::copy_n(result.d, SIDE, bar);
    return result.v;
}

extern "C" double saddle_value(const double* x, long, long steps) { return worst(x, steps, false); }
extern "C" double saddle_gradient(const double* x, long, long steps, double* bar) { return worst_gradient(x, steps, bar, false); }
extern "C" double saddle_forward_value(const double* x, long, long steps) { return worst(x, steps, true); }
extern "C" double saddle_forward_gradient(const double* x, long, long steps, double* bar) { return worst_gradient(x, steps, bar, true); }

// ---- where a particle comes down among charges -----------------------------------------------------------------------------

template <class T> static T potential(const T* x, T w) {
    T dx = x[0] - T(10.0), low = x[1], high = x[1] - T(10.0) + w;
    return T(1.0) / sqrt(dx * dx + low * low) + T(1.0) / sqrt(dx * dx + high * high);
}

template <class T> static void pull_by_hand(const T* x, T w, T* slope) {
    T dx = x[0] - T(10.0), low = x[1], high = x[1] - T(10.0) + w;
    T r = dx * dx + low * low, s = dx * dx + high * high, a = T(1.0) / (r * sqrt(r)), b = T(1.0) / (s * sqrt(s));
    slope[0] = -1.0 * dx * (a + b);
    slope[1] = -1.0 * (low * a + high * b);
}

template <class T> static void pull_forward(const T* x, T w, T* slope) {
    Dual<T, 2> x2[2], w2;
    for (int a = 0; a < 2; a++) x2[a].v = x[a], x2[a].d[a] = T(1.0);
    w2.v = w;
    std::copy_n(potential(x2, w2).d, 2, slope);
}

template <class T> static T landing(T w, double h, bool forward) {
    T x[2] = {T(0.0), T(8.0)}, v[2] = {T(0.75), T(0.0)}, slope[2];
    while (true) {
        forward ? pull_forward(x, w, slope) : pull_by_hand(x, w, slope);
        T next[2] = {x[0] + h * v[0], x[1] + h * v[1]};
        if (plain(next[1]) <= 0) return x[0] + (next[0] - x[0]) * x[1] / (x[1] - next[1]);
        for (int a = 0; a < 2; a++) v[a] = v[a] - h * slope[a], x[a] = next[a];
    }
}

static double landing_slope(double w, double h, bool forward) {
    Dual<double, 1> w2(w);
    w2.d[0] = 1;
    return landing(w2, h, forward).d[0];
}

extern "C" double particle_value(double w, double h) { return landing(w, h, false); }
extern "C" double particle_gradient(double w, double h) { return landing_slope(w, h, false); }
extern "C" double particle_forward_value(double w, double h) { return landing(w, h, true); }
extern "C" double particle_forward_gradient(double w, double h) { return landing_slope(w, h, true); }
